import Testing

@testable import ScenarioFormat

@Suite("Scripted wait")
struct ScriptedWaitTests {
    @Test(
        "pauses and expiring timeouts add up",
        arguments: [
            ("reply: {delay: 1s}", "", "ok", Duration.seconds(1)),
            ("times: 3, reply: {delay: 1s}", "", "ok", .seconds(3)),
            ("times: 0, reply: {delay: 1s}", "", "ok", .zero),
            ("reply: {send: [{repeat: 4, do: [{wait: 900ms}]}, rest]}", "", "ok", .milliseconds(3600)),
            ("reply: {send: [stall, {wait: 1h}]}", "", "timedOut", .seconds(60)),
            ("reply: {send: [stall]}", "session: {timeoutIntervalForRequest: 2s}", "timedOut", .seconds(2)),
            ("reply: {send: [stall]}", "session: {timeoutIntervalForResource: 5s}", "timedOut", .seconds(5)),
            ("reply: {interim: [{status: 103, delay: 1s}, {status: 103, delay: 2s}]}", "", "ok", .seconds(3)),
            ("reply: {interim: [{status: 103, delay: 1s, times: 3}]}", "", "ok", .seconds(3)),
            ("reply: {body: {pattern: counter, size: 1KB}, send-rate: 500B/s}", "", "ok", .seconds(2)),
            ("read-rate: 250B/s", "", "ok", .seconds(4)),
            ("reply: {send: [stall]}", "session: {timeoutIntervalForRequest: 0s}", "timedOut", .seconds(60)),
            ("fault: {at: idle+4s, do: fin}", "", "ok", .seconds(4)),
            ("fault: {at: request, do: {delay: 250ms}}", "", "ok", .milliseconds(250)),
            (
                "times: 100000, reply: {send: [{repeat: 1000000, do: [{wait: 36500d}]}]}", "", "ok",
                .seconds(36_500 * 86_400)
            ),
        ])
    func waits(exchange: String, session: String, outcome: String, wanted: Duration) throws {
        let text = """
            \(session)
            server: [{request: POST /, \(exchange)}]
            client: [{task: t, request: POST /, body: {pattern: counter, size: 1KB}}, {await: t}]
            expect: {t: \(outcome)}
            """
        let result = ScenarioReader.read(text: text, file: "a.yaml")
        let single = try #require(result.scenario?.cases.first, "\(result.diagnostics.map { $0.rendered() })")
        #expect(single.scriptedWait == wanted)
        #expect(single.needsVirtualTime == (wanted > .seconds(3)))
    }

    @Test("what the caller waits for counts too")
    func client() throws {
        let text = """
            server: [{request: GET /}]
            client: [{answer: {redirect: follow, delay: 1s}}, {task: t, request: GET /}, {await: t}, {advance: 3s}]
            expect: {t: ok}
            """
        let single = try #require(ScenarioReader.read(text: text, file: "a.yaml").scenario?.cases.first)
        #expect(single.scriptedWait == .seconds(4) && single.needsVirtualTime)
    }

    @Test(
        "a fault of a handshake strikes each connection, and each task may need one",
        arguments: [
            ("do: {delay: 1s}", Duration.seconds(2)), ("do: {delay: 1s}, connection: 2", .seconds(1)),
            ("do: split, delay: 1ms", .milliseconds(5_000)), ("do: stall", .zero),
        ])
    func handshakes(fault: String, wanted: Duration) throws {
        let text = """
            hosts: [{name: a.test, tls: {fault: {at: finished, \(fault)}}}]
            server: [{request: GET /, times: 2}]
            client: [{task: t, request: GET /}, {task: u, request: GET /}, {await: t}, {await: u}]
            expect: {t: ok, u: ok}
            """
        let single = try #require(ScenarioReader.read(text: text, file: "a.yaml").scenario?.cases.first)
        #expect(single.scriptedWait == wanted)
    }
}
