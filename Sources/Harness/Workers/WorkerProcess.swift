import ClientLane
import Foundation
import Serving

/// One worker: a process that answers a line with a line.
final class WorkerProcess {
    enum Answer {
        case line([UInt8])
        /// Nothing came until the deadline.
        case late
        /// It ended by itself; how, in words.
        case ended(String)
        /// The run is to stop.
        case stopped
    }

    /// False once something went wrong with it: the next case gets a fresh one.
    var isUsable = true
    private let process = Process()
    /// Where it keeps its files: however it ends, they go with it.
    private let directory: TemporaryDirectory
    private let input = Pipe()
    private let output = Pipe()
    private let errors = Pipe()
    private var lines = LineBuffer()
    private var tail = TextTail()
    private var errorsEnded = false
    private let stop: StopSignal

    init(executable: String, arguments: [String], environment more: [String: String], stop: StopSignal) throws {
        self.stop = stop
        directory = try TemporaryDirectory(in: Self.place)
        var environment = ProcessInfo.processInfo.environment.merging(more) { $1 }
        environment["TMPDIR"] = directory.path
        process.environment = environment
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Ours must go, or the end of the worker's output would never be seen.
        try? output.fileHandleForWriting.close()
        try? errors.fileHandleForWriting.close()
        try? input.fileHandleForReading.close()
    }

    /// In memory where there is room and the caller has named no place: a disk that others keep busy takes seconds for
    /// a file of ten bytes.
    private static let place: String = {
        let memory = "/dev/shm"
        var room = statvfs()
        guard ProcessInfo.processInfo.environment["TMPDIR"] == nil, access(memory, W_OK | X_OK) == 0,
            statvfs(memory, &room) == 0, UInt64(room.f_bavail) * UInt64(room.f_frsize) >= 1 << 30
        else { return NSTemporaryDirectory() }
        return memory
    }()

    var standardError: [String] { tail.lines }

    /// Sends one line; false when the worker is not there any more.
    func send(_ line: Data) -> Bool {
        tail.clear()
        return (line + [10]).withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = write(
                    input.fileHandleForWriting.fileDescriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent
                )
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
    }

    /// Waits for the next line, taking in standard error meanwhile.
    func receive(within limit: Duration) -> Answer {
        let deadline = ContinuousClock.now + limit
        while true {
            if let line = lines.next() { return .line(line) }
            if lines.isOverfull { return .ended("answered with a line without end") }
            let milliseconds = ContinuousClock.now.duration(to: deadline).milliseconds
            guard milliseconds > 0 else { return .late }
            var entries = [
                pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: errors.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0),
            ]
            // A closed standard error would make poll return at once, for ever.
            if errorsEnded { entries.removeLast() }
            guard poll(&entries, nfds_t(entries.count), Int32(min(milliseconds, 60_000))) > 0 else { continue }
            if entries[1].revents != 0 { return .stopped }
            if entries.count == 3, entries[2].revents != 0 { takeErrors() }
            if entries[0].revents != 0, !takeOutput() { return .ended(exitReason()) }
        }
    }

    /// Ends the process now, without asking it.
    func kill() {
        if process.isRunning { _ = Foundation.kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// Closing its input tells a worker to go.
    func dismiss() {
        try? input.fileHandleForWriting.close()
        // One that does not listen is not waited for.
        let deadline = ContinuousClock.now + .seconds(2)
        while ContinuousClock.now < deadline {
            var entry = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 2000) > 0 else { break }
            if !takeOutput() { break }
        }
        kill()
    }

    // MARK: Pipes

    private func takeOutput() -> Bool {
        let bytes = WorkerProcess.read(output)
        lines.append(bytes)
        return !bytes.isEmpty
    }

    private func takeErrors() {
        let bytes = WorkerProcess.read(errors)
        if bytes.isEmpty { errorsEnded = true }
        tail.append(bytes)
    }

    /// Empty at the end.
    private static func read(_ pipe: Pipe) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Foundation.read(pipe.fileHandleForReading.fileDescriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            return count > 0 ? Array(buffer[..<count]) : []
        }
    }

    /// After its output has ended: how the process went.
    private func exitReason() -> String {
        while !errorsEnded {
            var entry = pollfd(fd: errors.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 500) > 0 else { break }
            takeErrors()
        }
        kill(afterGrace: .milliseconds(500))
        let status = process.terminationStatus
        if process.terminationReason == .uncaughtSignal {
            return "was ended by signal \(status) (\(signalName(status)))"
        }
        return "exited with status \(status)"
    }

    private func kill(afterGrace grace: Duration) {
        let deadline = ContinuousClock.now + grace
        while process.isRunning, ContinuousClock.now < deadline { usleep(1000) }
        kill()
    }

    private func signalName(_ number: Int32) -> String {
        switch number {
        case SIGABRT: return "SIGABRT"
        case SIGBUS: return "SIGBUS"
        case SIGFPE: return "SIGFPE"
        case SIGILL: return "SIGILL, a Swift trap"
        case SIGKILL: return "SIGKILL"
        case SIGPIPE: return "SIGPIPE"
        case SIGSEGV: return "SIGSEGV"
        case SIGTERM: return "SIGTERM"
        case SIGTRAP: return "SIGTRAP, a Swift trap"
        default: return strsignal(number).map { String(cString: $0) } ?? "unknown"
        }
    }
}
