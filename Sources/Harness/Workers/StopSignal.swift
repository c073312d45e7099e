import Foundation

/// Says "stop" to everyone who waits, once and for ever: a pipe that becomes readable.
package final class StopSignal: Sendable {
    private let pipe: Pipe
    /// Readable as soon as `raise` was called; for `poll`.
    package var descriptor: Int32 { pipe.fileHandleForReading.fileDescriptor }

    package init() { pipe = Pipe() }

    /// Callable from any thread; a second call changes nothing.
    package func raise() {
        var byte: UInt8 = 1
        _ = write(pipe.fileHandleForWriting.fileDescriptor, &byte, 1)
    }

    package var isRaised: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }
}
