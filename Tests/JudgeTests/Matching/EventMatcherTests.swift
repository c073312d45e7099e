import ScenarioFormat
import ServerScript
import JudgeTestSupport
import Testing

@testable import Judge

/// One list of patterns with a list of events that it accepts or rejects.
struct MatchRow: Sendable, CustomTestStringConvertible {
    var name: String
    var patterns: [EventPattern]
    var accepts: [String]
    var rejects: [String]

    var testDescription: String { name }

    init(_ name: String, _ patterns: [EventPattern], accepts: [String], rejects: [String]) {
        self.name = name
        self.patterns = patterns
        self.accepts = accepts
        self.rejects = rejects
    }
}

@Suite("Expected events against seen ones")
struct EventMatcherTests {
    static let rows: [MatchRow] = [
        MatchRow("an empty list", [], accepts: ["", "created"], rejects: ["complete"]),
        MatchRow(
            "ordered and closed", [Make.pattern(.response), Make.pattern(.complete)], accepts: ["response complete"],
            rejects: ["response", "complete response", "response data complete", "response complete complete", ""]),
        MatchRow(
            "maybe, each at most once and in this order",
            [.maybe([Make.match(.response), Make.match(.data)]), Make.pattern(.complete)],
            accepts: ["complete", "response complete", "data complete", "response data complete"],
            rejects: ["data response complete", "response response complete", "response data"]),
        MatchRow(
            "unordered",
            [.unordered([Make.pattern(.challenge), Make.pattern(.sent)]), Make.pattern(.complete)],
            accepts: ["challenge sent complete", "sent challenge complete"],
            rejects: ["challenge complete", "sent sent complete", "challenge complete sent", "complete"]),
        MatchRow(
            "unordered with a maybe inside",
            [.unordered([.maybe([Make.match(.sent)]), Make.pattern(.response)]), Make.pattern(.complete)],
            accepts: ["sent response complete", "response sent complete", "response complete"],
            rejects: ["sent complete", "response sent sent complete"]),
        MatchRow(
            "never binds what anything swallows, wherever it stands",
            [.anything, Make.pattern(.complete), .never([.challenge])],
            accepts: ["complete", "response data complete"],
            rejects: ["challenge complete", "response challenge complete"]),
        MatchRow(
            "never allows what is listed by name",
            [Make.pattern(.challenge), Make.pattern(.complete), .never([.challenge])],
            accepts: ["challenge complete"], rejects: ["challenge challenge complete", "complete"]),
        MatchRow(
            "anything, up to what comes next",
            [.anything, Make.pattern(.data), .anything, Make.pattern(.complete)],
            accepts: ["data complete", "response data sent complete", "data data complete"],
            rejects: ["response complete", "data", "complete data"]),
        MatchRow(
            "repeat within a range", [.repeat(1...3, Make.pattern(.redirect)), Make.pattern(.complete)],
            accepts: ["redirect complete", "redirect redirect redirect complete"],
            rejects: ["complete", "redirect redirect redirect redirect complete"]),
        MatchRow(
            "repeat from zero", [.repeat(0...2, Make.pattern(.informational)), Make.pattern(.complete)],
            accepts: ["complete", "informational informational complete"],
            rejects: ["informational informational informational complete"]),
        MatchRow(
            "repeat of what may be nothing ends",
            [.repeat(0...1000, .maybe([Make.match(.sent)])), Make.pattern(.complete)],
            accepts: ["complete", "sent sent complete"], rejects: ["response complete"]),
        MatchRow(
            "any of several lists",
            [.anyOf([[Make.pattern(.response), Make.pattern(.data)], []]), Make.pattern(.complete)],
            accepts: ["response data complete", "complete"],
            rejects: ["response complete", "data complete"]),
        MatchRow(
            "a choice is taken back",
            [.maybe([Make.match(.response)]), Make.pattern(.response), Make.pattern(.complete)],
            accepts: ["response complete", "response response complete"], rejects: ["complete"]),
        MatchRow(
            "created counts once it is listed", [Make.pattern(.created), Make.pattern(.complete)],
            accepts: ["created complete"], rejects: ["complete", "complete created"]),
    ]

    @Test("Accepts", arguments: rows)
    func accepts(row: MatchRow) {
        for text in row.accepts {
            #expect(EventMatcher.mismatch(row.patterns, against: Make.list(text)) == nil, "\(text)")
        }
    }

    @Test("Rejects", arguments: rows)
    func rejects(row: MatchRow) {
        for text in row.rejects {
            #expect(EventMatcher.mismatch(row.patterns, against: Make.list(text)) != nil, "\(text)")
        }
    }

    @Test("A mismatch names the first event without a place, and all that could have stood there")
    func explanation() throws {
        let patterns: [EventPattern] = [
            Make.pattern(.response), .maybe([Make.match(.data)]),
            Make.pattern(.complete) { $0.outcomes = [.success] },
        ]
        let mismatch = try #require(
            EventMatcher.mismatch(patterns, against: Make.list("created response sent complete")))
        #expect(mismatch.seenIndex == 2)
        #expect(mismatch.expected == ["data", "complete: ok"])
    }

    @Test("What is missing at the end is a mismatch behind the last event")
    func missingEnd() throws {
        let patterns = [Make.pattern(.response), Make.pattern(.complete)]
        let mismatch = try #require(EventMatcher.mismatch(patterns, against: Make.list("response")))
        #expect(mismatch.seenIndex == 1)
        #expect(mismatch.expected == ["complete"])
    }

    @Test("Another completion than the wanted one is named, although 'anything' could swallow it")
    func otherCompletion() throws {
        let patterns = [
            .anything, Make.pattern(.complete) { $0.outcomes = [.failure(code: "timedOut", hasResumeData: nil)] },
        ]
        let seen = [Make.seen(.response), Make.success]
        let mismatch = try #require(EventMatcher.mismatch(patterns, against: seen))
        #expect(mismatch.seenIndex == 1)
        #expect(mismatch.expected == ["complete: timedOut"])
    }

    @Test("The reason says which property differs")
    func reason() throws {
        let patterns = [Make.pattern(.response) { $0.status = 200 }]
        let mismatch = try #require(
            EventMatcher.mismatch(patterns, against: [Make.seen(.response) { $0.status = 404 }]))
        #expect(mismatch.reason == "status: expected 200, got 404")
    }

    @Test("A hopelessly ambiguous list ends within its budget")
    func bounded() throws {
        let nested = EventPattern.unordered(Array(repeating: .maybe([Make.match(.data)]), count: 12))
        let patterns = [nested, nested, Make.pattern(.complete)]
        let mismatch = try #require(
            EventMatcher.mismatch(patterns, against: Make.list(String(repeating: "data ", count: 24) + "response")))
        #expect(mismatch.reason?.contains("ambiguous") == true)
    }

    @Test("So does one with too many orders")
    func boundedOrders() throws {
        let orders = EventPattern.unordered(Array(repeating: Make.pattern(.data), count: 14))
        let mismatch = try #require(
            EventMatcher.mismatch([orders], against: Make.list(String(repeating: "data ", count: 13) + "response")))
        #expect(mismatch.reason?.contains("ambiguous") == true)
    }

    @Test("So does one that may be left out in too many ways")
    func boundedMaybe() throws {
        let optional = EventPattern.maybe(Array(repeating: Make.match(.data), count: 40))
        let mismatch = try #require(
            EventMatcher.mismatch(
                [optional, Make.pattern(.complete)], against: Make.list(String(repeating: "data ", count: 20) + "sent"))
        )
        #expect(mismatch.reason?.contains("ambiguous") == true)
    }
}
