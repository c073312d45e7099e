import ClientMachines
import Foundation
import HTTPBasics
import ServerScript
import SessionNetworking
import Simulator
import Testing

/// A download that is lost twice, everywhere, while the file on the server may change: what comes out in the end is one
/// version of it, whole.
@Suite struct ResumingTests {
    /// Of equal and of different length.
    private static let versions = [1: "012345", 2: "ABCDEF", 3: "xyz"]

    /// Which version the server has at the first, second and third request.
    private static let histories = [[1, 1, 1], [1, 2, 2], [1, 1, 2], [1, 2, 1], [1, 3, 1], [3, 1, 1]]

    // BEHAVIOUR 1.F4-mismatch, 1.F4-200, 1.F4-again
    @Test(arguments: histories, [false, true])
    func `a download is never spliced from two versions`(history: [Int], diesInSecond: Bool) throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        var resumed = 0
        var number: UInt64 = 0
        for first in Self.cuts {
            for second in Self.cuts {
                number += 3
                let one = Attempt.run(number, Self.reply(history[0], first), nil, in: directory)
                // Who dies saves nothing: what was saved before is used once more.
                let effect = diesInSecond ? Fault.Effect.stall : .fin
                let two = Attempt.run(
                    number + 1, Self.reply(history[1], second, effect), one.resumeData, in: directory,
                    dies: diesInSecond)
                let saved = diesInSecond ? one.resumeData : two.resumeData
                let last =
                    two.content == nil
                    ? Attempt.run(number + 2, Self.reply(history[2], nil), saved, in: directory) : two
                let content = last.content ?? last.error ?? ""
                #expect(Self.versions.values.contains(content), "cut at \(first) and \(second)")
                if saved != nil { resumed += 1 }
            }
        }
        #expect(resumed > 10)
    }

    /// Around the head, and everywhere in the longest body; what lies behind the end of a shorter one cuts nothing.
    private static let cuts: [Fault.Landmark] = [.statusLine(0), .head(3)] + (0...5).map { .body($0) }

    private static func reply(_ version: Int, _ landmark: Fault.Landmark?, _ effect: Fault.Effect = .fin) -> Reply {
        Reply(
            fields: Fields([Fields.Field("ETag", "\"v\(version)\"")]),
            body: .text(versions[version] ?? ""), isRanged: true,
            faults: landmark.map { [Fault(at: $0, do: effect)] } ?? [])
    }
}

/// One attempt in a world of its own, as after a new start of the process: only directory and resume data are left.
private final class Attempt: @unchecked Sendable {
    // Safety: everything runs on the simulation's one thread.

    private(set) var content: String?
    private(set) var resumeData: Data?
    private(set) var error: String?

    /// Goes on from resume data, or begins. A process that dies does nothing more after a second.
    ///
    /// - Parameter number: Files of two attempts have different names.
    static func run(
        _ number: UInt64, _ reply: Reply, _ resumeData: Data?, in directory: URL, dies: Bool = false
    ) -> Attempt {
        let script = Script(routes: [Route(Exchange(RequestMatch("GET", "/file"), reply: reply))])
        let simulation = Simulation(script: script, SimulationOptions(seed: number, directory: directory.path))
        let world = SessionWorld(
            makeEngine: { [unowned simulation] in simulation.makeEngine(settings: $0, sink: $1) },
            makeExecutor: { [unowned simulation] _ in simulation.executor }, downloadDirectory: directory.path,
            taskExecutor: simulation.taskExecutor)
        let attempt = Attempt()
        let session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: nil, world: world)
        simulation.schedule {
            let take: @Sendable (URL?, URLResponse?, (any Error)?) -> Void = { attempt.take($0, $2) }
            let task =
                if let resumeData {
                    session.downloadTask(withResumeData: resumeData, completionHandler: take)
                } else if let url = URL(string: "http://a.test/file") {
                    session.downloadTask(with: url, completionHandler: take)
                } else {
                    URLSessionDownloadTask()
                }
            task.resume()
            session.finishTasksAndInvalidate()
        }
        if dies {
            _ = simulation.run(until: simulation.now + .seconds(1))
            simulation.die()
            return attempt
        }
        #expect(simulation.run() == .idle)
        #expect(simulation.violations.isEmpty)
        return attempt
    }

    private func take(_ file: URL?, _ error: (any Error)?) {
        content = file.flatMap { try? String(contentsOf: $0, encoding: .utf8) }
        resumeData = (error as? URLError)?.downloadTaskResumeData
        self.error = error.map { "\($0)" }
    }
}
