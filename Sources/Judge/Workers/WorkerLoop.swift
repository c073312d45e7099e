import Foundation

/// The other side of the supervisor: reads requests from standard input, plays them, answers on standard output.
package enum WorkerLoop {
    /// Tells the supervisor how far an exploration is.
    package typealias Telling = (CaseProgress) -> Void

    /// Returns when the input is over.
    package static func run(_ makeRunner: (@escaping Telling) -> any CaseRunner) {
        // Ctrl-C reaches the whole process group; the supervisor decides what becomes of us.
        signal(SIGINT, SIG_IGN)
        signal(SIGTERM, SIG_DFL)
        signal(SIGPIPE, SIG_IGN)
        // What a library prints must not get between the answers.
        let answers = dup(STDOUT_FILENO)
        dup2(STDERR_FILENO, STDOUT_FILENO)
        Thread.detachNewThread { leaveWhenNobodyListens(to: answers) }
        let tell: Telling = { _ = writeAll($0.line, to: answers) }
        let runner = makeRunner(tell)
        while let line = readLine(strippingNewline: true) {
            guard let request = try? JSONDecoder().decode(CaseRequest.self, from: Data(line.utf8)) else {
                _ = writeAll(Data("worker: not a request: \(line.prefix(200))\n".utf8), to: STDERR_FILENO)
                return
            }
            let answer = CaseAnswer(number: request.number, result: result(of: request, runner, tell))
            guard var data = try? JSONEncoder().encode(answer) else { return }
            data.append(10)
            guard writeAll(data, to: answers) else { return }
        }
    }

    /// How often a case is played whose windows the machine has widened beyond their meaning.
    private static let vaguePlays = 3

    /// Of what is not the same every time one play says little, and so it does of what passed for want of a clock.
    static func result(of request: CaseRequest, _ runner: any CaseRunner, _ tell: Telling) -> CaseResult {
        var result = runner.run(request), plays = 1
        while result.verdict == .pass, plays < request.plays ?? (result.isVague == true ? vaguePlays : 1) {
            plays += 1
            tell(.again(play: plays))
            result = runner.run(request)
        }
        if request.plays != nil { result.plays = plays }
        return result
    }

    /// A supervisor that was killed leaves its workers in the middle of a case, which may take minutes.
    private static func leaveWhenNobodyListens(to answers: Int32) {
        var entry = pollfd(fd: answers, events: 0, revents: 0)
        while entry.revents == 0 { _ = poll(&entry, 1, -1) }
        _exit(1)
    }

    private static func writeAll(_ data: Data, to descriptor: Int32) -> Bool {
        data.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = write(descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
    }
}
