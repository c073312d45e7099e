import Foundation
import ScenarioFormat
import JudgeTestSupport
import Testing

@testable import Judge

@Suite("Which events exist in which style")
struct StyleProjectionTests {
    struct Row: Sendable {
        var style: Style
        var kind: TaskStep.Kind
        var hasDelegate: Bool
        var isOverheard = false
        /// `s`een, `r`eturned, `b`oth, `-`: in the order of EventWord.allCases.
        var slots: String
    }

    // created waiting delayedRequest redirect challenge needStream sent informational response data becameDownload
    // wrote resumed file willCache metrics complete
    static let rows = [
        Row(style: .delegate, kind: .data, hasDelegate: true, slots: "sssssssssssssssss"),
        Row(style: .completion, kind: .data, hasDelegate: false, slots: "--------rr---r--s"),
        Row(style: .completion, kind: .data, hasDelegate: true, slots: "--sssss-rr---r-ss"),
        Row(style: .async, kind: .download, hasDelegate: false, slots: "--------rr---r--s"),
        Row(style: .async, kind: .bytes, hasDelegate: true, slots: "--sssss-ss---r-ss"),
        Row(style: .async, kind: .data, hasDelegate: true, isOverheard: true, slots: "ssssssssrb-s-r-ss"),
        Row(style: .async, kind: .bytes, hasDelegate: true, isOverheard: true, slots: "ssssssssrb-s-r-ss"),
    ]

    @Test("The table of styles", arguments: rows)
    func table(row: Row) {
        let projection = StyleProjection(
            style: row.style, kind: row.kind, hasQuestionDelegate: row.hasDelegate, isOverheard: row.isOverheard)
        let slots = EventWord.allCases.map { word -> Character in
            switch projection.visibility(word) {
            case .seen: return "s"
            case .returned: return "r"
            case .both: return "b"
            case .absent: return "-"
            }
        }
        #expect(String(slots) == row.slots)
    }

    // SCENARIO-FORMAT 'Styles'
    @Test("The table for readers says the same")
    func page() throws {
        let path = #filePath.prefix(upTo: try #require(#filePath.range(of: "/Tests/")).lowerBound)
        let text = try String(contentsOfFile: path + "/Documentation/SCENARIO-FORMAT.md", encoding: .utf8)
        let section = try #require(text.range(of: "\n## Styles\n")).upperBound
        let table = text[section...].split(separator: "\n").filter { $0.hasPrefix("|") }
        var told: Set<EventWord> = []
        for line in table.dropFirst(2).prefix(7) {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            for word in try cells[0].matches(of: /[A-Za-z]+/).map({ try #require(EventWord(rawValue: String($0.0))) }) {
                told.insert(word)
                for (style, has, overheard) in [
                    (Style.delegate, true, false), (.completion, false, false), (.completion, true, false),
                    (.async, false, false), (.async, true, false), (.async, true, true),
                ] {
                    let projection = StyleProjection(
                        style: style, kind: .data, hasQuestionDelegate: has, isOverheard: overheard)
                    let cell = cells[style == .delegate ? 1 : overheard ? 3 : 2]
                    #expect(
                        projection.visibility(word) == visibility(cell, word, hasDelegate: has),
                        "\(word) in \(style): \(cell)")
                }
            }
        }
        #expect(told == Set(EventWord.allCases))
    }

    /// Nil for a cell that says nothing that is known.
    private func visibility(_ cell: String, _ word: EventWord, hasDelegate: Bool) -> StyleProjection.Visibility? {
        switch cell {
        case "yes": .seen
        case "no": .absent
        case "returned": .returned
        case "yes, and returned": .both
        case "where the case has a delegate": hasDelegate ? .seen : .absent
        default: word == .complete && !cell.isEmpty ? .seen : nil
        }
    }

    @Test("A list loses what is not called, inside every escape")
    func projectsEscapes() {
        let projection = StyleProjection(style: .completion, kind: .data, hasQuestionDelegate: true)
        let patterns: [EventPattern] = [
            Make.pattern(.redirect), .maybe([Make.match(.response), Make.match(.sent)]),
            .unordered([Make.pattern(.informational), Make.pattern(.challenge)]), .never([.wrote, .challenge]),
            .repeat(1...2, Make.pattern(.data)), .anyOf([[Make.pattern(.data)], [Make.pattern(.redirect)]]), .anything,
            Make.pattern(.complete),
        ]
        #expect(
            projection.seenPart(of: patterns) == [
                Make.pattern(.redirect), .maybe([Make.match(.sent)]), .unordered([Make.pattern(.challenge)]),
                .never([.challenge]), .anyOf([[], [Make.pattern(.redirect)]]), .anything, Make.pattern(.complete),
            ])
    }

    @Test("What a handler is given is compared as the events that it replaces")
    func returned() {
        let projection = StyleProjection(style: .completion, kind: .data, hasQuestionDelegate: false)
        var result = ReturnedResult()
        result.status = 200
        result.body = SeenContent("done".utf8)
        let events = projection.events(of: result, completion: Make.success, listing: [])
        #expect(events.map(\.word) == [.response, .data, .complete])
        #expect(events[1].bytes == 4 && events[1].total == 4)
        let wanted = [
            Make.pattern(.redirect), Make.pattern(.response) { $0.status = 200 },
            Make.pattern(.data) { $0.total = .exactly(4) }, Make.pattern(.complete),
        ]
        let part = projection.returnedPart(of: wanted) ?? []
        #expect(part.count == 3)
        #expect(EventMatcher.mismatch(part, against: events) == nil)
        let wrong = [Make.pattern(.response) { $0.status = 201 }, Make.pattern(.data), Make.pattern(.complete)]
        #expect(EventMatcher.mismatch(wrong, against: events) != nil)
    }

    @Test("What the delegate of an async call hears, its caller is given as well")
    func overheard() {
        let projection = StyleProjection(style: .async, kind: .data, hasQuestionDelegate: true, isOverheard: true)
        let patterns = [
            Make.pattern(.response), Make.pattern(.data) { $0.total = .exactly(4) }, Make.pattern(.complete),
        ]
        #expect(projection.seenPart(of: patterns) == Array(patterns.dropFirst()))
        #expect(projection.returnedPart(of: patterns) == patterns)
    }

    @Test("An empty body returns no data event, a download no response unless one is listed")
    func sparse() {
        let data = StyleProjection(style: .async, kind: .data, hasQuestionDelegate: false)
        let download = StyleProjection(style: .async, kind: .download, hasQuestionDelegate: false)
        var result = ReturnedResult()
        result.status = 204
        result.body = SeenContent()
        #expect(data.events(of: result, completion: Make.success, listing: []).map(\.word) == [.response, .complete])
        result.body = nil
        result.file = SeenContent("x".utf8)
        let words = { (listed: Set<EventWord>) in
            download.events(of: result, completion: Make.success, listing: listed).map(\.word)
        }
        #expect(words([]) == [.file, .complete])
        #expect(words([.response]) == [.response, .file, .complete])
    }

    @Test("A delegate and bytes(for:) return nothing besides")
    func nothingReturned() {
        #expect(StyleProjection(style: .delegate, kind: .data, hasQuestionDelegate: true).returnedPart(of: []) == nil)
        #expect(StyleProjection(style: .async, kind: .bytes, hasQuestionDelegate: false).returnedPart(of: []) == nil)
    }

    @Test("What was sent may stay untold where a handler or an async call has the result")
    func sentBytes() {
        let patterns = [Make.pattern(.sent), Make.pattern(.complete)]
        for style in Style.allCases {
            let seen = StyleProjection(style: style, kind: .data, hasQuestionDelegate: true).seenPart(of: patterns)
            let mayMiss = EventMatcher.mismatch(seen, against: Make.list("complete")) == nil
            #expect(mayMiss == (style != .delegate))
            #expect(EventMatcher.mismatch(seen, against: Make.list("sent complete")) == nil)
        }
    }
}
