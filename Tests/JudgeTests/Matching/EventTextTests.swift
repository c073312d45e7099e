import HTTPBasics
import JudgeTestSupport
import ScenarioFormat
import Testing

@testable import Judge

/// What a reader of a failure sees of events and patterns.
@Suite("Events in the words of a scenario")
struct EventTextTests {
    private static func seen(_ word: EventWord, _ set: (inout SeenEvent) -> Void) -> String {
        EventText.text(Make.seen(word, set))
    }

    @Test("Everything that tells one event from another is shown")
    func events() {
        #expect(
            Self.seen(.redirect) { ($0.status, $0.to, $0.method) = (302, "/end", "GET") }
                == "redirect: {status: 302, to: /end, method: GET}")
        #expect(
            Self.seen(.challenge) { ($0.url, $0.realm, $0.previousFailures) = ("/a", "vault", 1) }
                == "challenge: {url: /a, realm: vault, previousFailures: 1}")
        #expect(Self.seen(.resumed) { ($0.offset, $0.expected) = (5, 10) } == "resumed: {offset: 5, expected: 10}")
        #expect(
            Self.seen(.complete) { $0.outcome = .failure(code: "timedOut", hasResumeData: true) }
                == "complete: timedOut with resume data")
        #expect(
            EventText.outline(Make.seen(.response) { ($0.status, $0.url) = (200, "/a") }) == "response: {status: 200}")
        #expect(
            Self.seen(.metrics) { $0.metrics = SeenMetrics(redirects: 2, transactions: [], end: .zero) }
                == "metrics: {redirects: 2, transactions: []}")
    }

    @Test("A pattern shows what it asks for")
    func patterns() {
        let response = Make.match(.response) { ($0.status, $0.url, $0.expected) = (200, "/a", 7) }
        #expect(EventText.text(response) == "response: {status: 200, url: /a, expected: 7}")
        let metrics = Make.match(.metrics) { ($0.redirects, $0.transactions) = (1, []) }
        #expect(EventText.text(metrics) == "metrics: {redirects: 1, transactions: 0}")
        #expect(EventText.text(Make.match(.data) { $0.total = .atLeast(3) }) == "data: {total: at-least 3}")
        #expect(EventText.lines(.repeat(1...2, Make.pattern(.redirect))) == ["repeat: 1..2", "  redirect"])
    }
}
