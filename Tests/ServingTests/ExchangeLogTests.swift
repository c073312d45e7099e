import HTTPBasics
import ServerScript
import Testing

@testable import Serving

@Suite struct ExchangeLogTests {
    private func tell(_ kinds: [ServerEvent.Kind], exchange: (Int) -> Int = { _ in 0 }) -> [String] {
        let log = ExchangeLog()
        return kinds.enumerated().compactMap { index, kind in
            let instant = Instant.zero + .milliseconds(index)
            let event = ServerEvent(peer: PeerID(3), exchange: exchange(index), instant: instant, kind: kind)
            return log.take(event).map(ServeText.exchange)
        }
    }

    private let request = ServerEvent.Kind.request(
        RecordedRequest(method: "POST", target: "/a?token=x", fields: Fields(), lane: nil, host: "a.test"))
    private let body = ServerEvent.Kind.requestBody(RecordedBody(prefix: [], count: 12, checksum: 0))
    private let cut = Fault(at: .body(5), do: .reset)

    @Test func `an exchange is told when its final answer begins`() {
        let told = tell([.accepted, request, body, .answered(status: 100), .answered(status: 200)])
        #expect(told == ["#3 POST /a?token=*** (12 bytes) -> 200 in 3 ms"])
    }

    @Test func `what goes wrong behind the answer has a line of its own`() {
        let told = tell([request, .answered(status: 200), .faulted(cut), .closed(byClient: false)])
        #expect(told == ["#3 POST /a?token=*** -> 200 in 1 ms", "#3 -> reset at body+5"])
    }

    @Test func `one without an answer is told when a fault or the client ends it`() {
        let dropped = Fault(at: .request, do: .reset)
        #expect(tell([request, .faulted(dropped)]) == ["#3 POST /a?token=*** -> reset at request"])
        #expect(tell([request, .closed(byClient: true)]) == ["#3 POST /a?token=*** the connection ended"])
        let gone = ServerEvent.Kind.brokenOff(.body, bytes: 3)
        let line = "#3 POST /a?token=*** the client went away in the middle of a request's body, after 3 bytes of it"
        #expect(tell([request, gone, .closed(byClient: true)]) == [line])
    }

    @Test func `a delay is a part of the exchange`() {
        let delay = Fault(at: .headEnd, do: .delay(.milliseconds(1)))
        let told = tell([request, .faulted(delay), .answered(status: 204)])
        #expect(told == ["#3 POST /a?token=*** -> 204 in 2 ms -> delay(0.001 seconds) at head-end"])
    }

    @Test func `a violation is with its request, or alone`() {
        let violation = Violation("nothing fits", differences: ["method: wanted GET, got POST"])
        let wanted = "\n   VIOLATION nothing fits\n     method: wanted GET, got POST"
        let answered = ServerEvent.Kind.answered(status: 404)
        #expect(tell([request, .violation(violation), answered]) == ["#3 POST /a?token=*** -> 404 in 2 ms" + wanted])
        #expect(tell([.violation(violation), answered]) == ["#3 -> 404 in 1 ms" + wanted])
        let late = tell([request, .answered(status: 200), .violation(violation)])
        #expect(late == ["#3 POST /a?token=*** -> 200 in 1 ms", "#3" + wanted])
    }

    @Test func `the next exchange on a connection is another, and a connection without any is none`() {
        let told = tell([request, .answered(status: 200), request, .answered(status: 201)]) { $0 / 2 }
        #expect(told == ["#3 POST /a?token=*** -> 200 in 1 ms", "#3 POST /a?token=*** -> 201 in 1 ms"])
        #expect(tell([.accepted, .closed(byClient: true)]) == [])
    }
}
