import Dispatch
import Foundation
import Judge
import Locks

/// The command that `understudy serve FILE -- COMMAND …` runs against its server: in our process group, so that it has
/// the terminal as if it had been started by itself, with none of our files and none of our signal handlers.
package final class ServedCommand: @unchecked Sendable {
    // Safety: the sources and the watching thread are set up in `start`, before anyone else has the object.
    /// Raised when it is over.
    package let ended = StopSignal()
    private let target = Lock(Target())
    private let result = Lock<Int32?>(nil)
    private var sources: [any DispatchSourceSignal] = []

    /// - Parameter variables: Added to our own environment.
    package init(_ words: [String], variables: [String: String]) throws {
        let environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        passSignalsOn()
        let process = try ServedCommand.spawn(words, environment.map { "\($0.key)=\($0.value)" }.sorted())
        target.withLock { target in
            target.process = process
            for number in target.waiting { kill(process, number) }
        }
        Thread { [self] in
            result.withLock { $0 = ServedCommand.wait(for: process) }
            ended.raise()
        }
        .start()
    }

    deinit { for source in sources { source.cancel() } }

    /// Whom signals are for, and those that came before it was there.
    private struct Target {
        var process: pid_t?
        var waiting: [Int32] = []
    }

    /// As a shell has it: 128 and the signal's number for one that a signal has ended. Nil while it runs.
    package var status: Int32? { result.withLock { $0 } }

    // MARK: - Starting

    private static func spawn(_ words: [String], _ environment: [String]) throws -> pid_t {
        guard let name = words.first, !(words + environment).contains(where: { $0.utf8.contains(0) }) else {
            throw UsageError("a command needs a name, and no word of it may hold a NUL")
        }
        keepFiles()
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var process = pid_t()
        let code = withCStrings(words) { words in
            withCStrings(environment) { posix_spawnp(&process, name, nil, &attributes, words, $0) }
        }
        guard code == 0 else {
            throw UsageError("cannot start \(name): \(String(cString: strerror(code)))")
        }
        return process
    }

    /// Listening sockets among them: the port must be free when we are gone, even if the command lives on.
    private static func keepFiles() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
            if let descriptor = Int32(name), descriptor > STDERR_FILENO { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        }
    }

    private static func withCStrings<Value>(
        _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Value
    ) -> Value {
        let pointers = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: texts.count + 1)
        for (index, text) in texts.enumerated() { pointers[index] = strdup(text) }
        pointers[texts.count] = nil
        defer {
            for index in texts.indices { free(pointers[index]) }
            pointers.deallocate()
        }
        return body(pointers)
    }

    private static func wait(for process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { if errno != EINTR { return 127 } }
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }

    // MARK: - Signals

    /// What we are sent it is sent; what the terminal sends to its whole group has reached it already.
    private func passSignalsOn() {
        let queue = DispatchQueue(label: "understudy.command")
        sources = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].map { number in
            HeardSignal.source(number, queue: queue) { [weak self] in
                guard let self, !ended.isRaised, number == SIGTERM || !ServedCommand.isInForeground else { return }
                target.withLock { target in
                    if let process = target.process { kill(process, number) } else { target.waiting.append(number) }
                }
            }
        }
    }

    private static var isInForeground: Bool {
        let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        return tcgetpgrp(terminal) == getpgrp()
    }
}
