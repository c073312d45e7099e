import Foundation
import Locks

/// Says "stop" to everyone who waits, once and for ever: a pipe that becomes readable.
package final class StopSignal: Sendable {
    private let pipe: Pipe
    private let hasByte = Lock(false)
    /// Readable as soon as `raise` was called; for `poll`.
    package var descriptor: Int32 { pipe.fileHandleForReading.fileDescriptor }

    package init() { pipe = Pipe() }

    /// Callable from any thread; a second call changes nothing: the pipe is not emptied, and a full one would block.
    package func raise() {
        let hadByte = hasByte.withLock { hasByte in
            defer { hasByte = true }
            return hasByte
        }
        if hadByte { return }
        var byte: UInt8 = 1
        _ = write(pipe.fileHandleForWriting.fileDescriptor, &byte, 1)
    }

    package var isRaised: Bool { wait(atMost: .zero) }

    /// Returns whether it was raised in time.
    package func wait(atMost span: Duration) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, Int32(clamping: Int64(span / .milliseconds(1)))) > 0
    }

    /// Returns when one of them is raised.
    package static func waitForAny(of signals: [StopSignal]) {
        var entries = signals.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        // A signal handler may interrupt the wait.
        while poll(&entries, nfds_t(entries.count), -1) <= 0 {}
    }
}
