import Foundation
import HTTPBasics
import Judge
import JudgeTestSupport
import Locks
import ScenarioFormat
import ServerScript
import SessionNetworking
import TestSupport
import Testing

@testable import ClientLane

@Suite(.endsInTime) struct ClientLanePlayerTests {
    private final class Clock: LaneClock, TaskExecutor {
        private let scheduled = Lock(0)

        var jobs: Int { scheduled.withLock { $0 } }
        var now: Instant { .zero }
        var date: Date { Date(timeIntervalSince1970: 0) }

        func setDate(ahead span: Duration) {}

        func schedule(after span: Duration, _ job: @escaping @Sendable () -> Void) { scheduled.withLock { $0 += 1 } }

        func enqueue(_ job: consuming ExecutorJob) {}
    }

    private func player(_ actions: [ClientStep.Action]) throws -> ClientLanePlayer {
        let scenarioCase = ScenarioCase(
            script: Script(hosts: ["a.test"]), client: actions.map { ClientStep($0, mark: Make.mark) }, mark: Make.mark)
        return ClientLanePlayer(
            scenarioCase, style: .delegate, origins: OriginTable([]), directory: try TemporaryDirectory())
    }

    // The caller of an async step has a continuation that waits.
    @Test func `the lane can be reached when its case is over`() throws {
        let player = try player([])
        let clock = Clock(), session = URLSession(configuration: .ephemeral)
        player.begin(
            on: ClientLanePlayer.Stage(
                session: session, makeSession: { session }, clock: clock, executor: clock, signal: { _ in },
                finished: {}))
        player.onLane {}
        #expect(clock.jobs == 1)
        player.tearDown()
        player.onLane {}
        #expect(clock.jobs == 2)
        session.invalidateAndCancel()
    }

    @Test func `only of a file that becomes shorter nobody says how long it is`() throws {
        let labels = ["left", "rewritten", "shortened"]
        let steps = labels.map { label in
            var step = TaskStep(label: label, kind: .upload, method: "PUT", target: "/")
            step.body = .text("four")
            return step
        }
        let player = try player(
            steps.map { .task($0) } + [.rewriteFile(task: "rewritten"), .shortenFile(task: "shortened", to: 2)])
        let request = URLRequest(url: try #require(URL(string: "http://a.test/")))
        for step in steps { player.watch(step, .request(request)) }
        #expect(labels.map { player.watched[$0]?.watch.facts.length } == [4, 4, nil])
    }

    @Test(
        "Only of a coding that is undone the length counts other bytes",
        arguments: [
            ("gzip", true), ("deflate, X-GZIP", true), ("gzip;q=1", true), ("compress", false),
            ("gzip, compress", false), ("identity", false), ("", false), ("BR", true), ("zstd", false),
        ])
    func codings(field: String, isDecoded: Bool) throws {
        var scenarioCase = try player([]).scenarioCase
        scenarioCase.codings = [.brotli]
        #expect(LaneSession.decodes(field, in: scenarioCase) == isDecoded)
    }
}
