import HTTPBasics
import ScenarioFormat
import ServerScript
import JudgeTestSupport
import Testing

@testable import Judge

@Suite("The wire as the server saw it")
struct WireMatchTests {
    private static func event(_ peer: Int, _ exchange: Int, _ kind: ServerEvent.Kind) -> ServerEvent {
        ServerEvent(peer: PeerID(peer), exchange: exchange, instant: .zero, kind: kind)
    }

    private static func request(_ line: String, _ fields: [Fields.Field] = []) -> ServerEvent.Kind {
        let words = line.split(separator: " ").map(String.init)
        return .request(
            RecordedRequest(method: words[0], target: words[1], fields: Fields(fields), lane: nil, host: "a.test"))
    }

    private static func body(_ text: String) -> ServerEvent.Kind {
        let content = SeenContent(text.utf8)
        return .requestBody(RecordedBody(prefix: content.prefix, count: content.count, checksum: content.checksum))
    }

    private let journal: [ServerEvent] = [
        event(0, 0, .accepted), event(0, 0, request("POST /start", [.init("Content-Length", "3")])),
        event(0, 0, body("a=1")), event(1, 0, .accepted), event(1, 0, request("GET /end")),
        event(1, 0, .closed(byClient: true)), event(0, 0, .closed(byClient: false)),
    ]

    private func expectation(_ line: String, _ set: (inout WireExpectation) -> Void = { _ in }) -> WireExpectation {
        var expectation = WireExpectation(line: line, mark: Make.mark)
        set(&expectation)
        return expectation
    }

    private func difference(_ expected: [WireExpectation]) -> String? {
        WireMatch.difference(of: expected.map { .request($0) }, requests: WireMatch.requests(in: journal)).map {
            "\($0.index): \($0.reason)"
        }
    }

    @Test("The list of requests is ordered and closed")
    func lines() {
        #expect(difference([expectation("POST /start"), expectation("GET /end")]) == nil)
        #expect(difference([expectation("GET /end"), expectation("POST /start")])?.hasPrefix("0:") == true)
        #expect(difference([expectation("POST /start")])?.hasPrefix("1: a request that is not listed") == true)
        #expect(
            difference([expectation("POST /start"), expectation("GET /end"), expectation("GET /more")])?.hasPrefix("2:")
                == true)
    }

    @Test(
        "Of a field that must be absent the message shows what the journal has kept",
        arguments: [("Authorization", "Basic"), ("Cookie", "***"), ("Range", "bytes=0-")])
    func absence(_ name: String, _ shown: String) {
        let kept = Self.event(0, 0, Self.request("GET /", [.init(name, name == "Cookie" ? "a=1" : shown)]))
        let reason = WireMatch.difference(
            of: [.request(expectation("GET /") { $0.absent = [name] })], requests: WireMatch.requests(in: [kept]))?
            .reason
        #expect(reason == "field \(name) must be absent, got '\(shown)'")
    }

    @Test("Fields, absence and bodies accept and reject")
    func properties() {
        let end = expectation("GET /end")
        let holds = { (set: (inout WireExpectation) -> Void) in
            difference([expectation("POST /start", set), end]) == nil
        }
        #expect(holds { $0.fields = [.init("content-length", .equals("3"))] })
        #expect(!holds { $0.fields = [.init("Content-Length", .equals("4"))] })
        #expect(!holds { $0.fields = [.init("Accept", .present)] })
        #expect(holds { $0.absent = ["Transfer-Encoding"] })
        #expect(!holds { $0.absent = ["content-length"] })
        #expect(holds { $0.body = .equals(.text("a=1")) })
        #expect(!holds { $0.body = .equals(.text("a=2")) })
        #expect(!holds { $0.body = .equals(.text("a=12")) })
        #expect(holds { $0.body = .prefix(of: .text("a=1&b=2")) })
        #expect(!holds { $0.body = .prefix(of: .text("a=")) })
        #expect(!holds { $0.body = RequestMatch.BodyRule.none })
        #expect(
            difference([expectation("POST /start"), expectation("GET /end") { $0.body = RequestMatch.BodyRule.none }])
                == nil)
    }

    @Test(
        "No body is one that was neither announced nor read; a beginning has at least a byte",
        arguments: [
            ([], nil, true), ([Fields.Field("Content-Length", "0")], nil, true),
            ([Fields.Field("Content-Length", "3")], nil, false), ([Fields.Field("Content-Length", "3")], "", false),
            ([Fields.Field("Transfer-Encoding", "chunked")], nil, false),
        ])
    func unreadBodies(fields: [Fields.Field], read: String?, isNone: Bool) {
        var journal = [WireMatchTests.event(0, 0, WireMatchTests.request("POST /", fields))]
        if let read { journal.append(WireMatchTests.event(0, 0, WireMatchTests.body(read))) }
        let requests = WireMatch.requests(in: journal)
        let none = expectation("POST /") { $0.body = RequestMatch.BodyRule.none }
        #expect((WireMatch.difference(of: [.request(none)], requests: requests) == nil) == isNone)
        let beginning = expectation("POST /") { $0.body = .prefix(of: .text("abc")) }
        #expect(
            WireMatch.difference(of: [.request(beginning)], requests: requests)?.reason
                == "body: expected a beginning, got 0 bytes")
    }

    @Test("Credentials that were expected are not told, nor those that came")
    func secrets() {
        let fields = [Fields.Field("Authorization", "Bearer")]
        let requests = WireMatch.requests(in: [WireMatchTests.event(0, 0, WireMatchTests.request("GET /", fields))])
        let expected = expectation("GET /") { $0.fields = [.init("Authorization", .equals("Bearer SECRET"))] }
        let reason = WireMatch.difference(of: [.request(expected)], requests: requests)?.reason
        #expect(reason?.hasPrefix("field Authorization: expected scheme Bearer, got 'Bearer'; ") == true)
        #expect(reason?.contains("SECRET") == false)
    }

    @Test("Connections are counted as they were accepted")
    func connections() { #expect(WireMatch.connections(in: journal) == 2) }

    @Test("A close rule finds the connection of the task's last exchange")
    func closes() {
        let difference = { (targets: [String], byClient: Bool) in
            WireMatch.difference(
                of: CloseRule(task: "t", byClient: byClient, mark: Make.mark), targets: targets, events: journal)
        }
        #expect(difference(["/end", "/start"], true) == nil)
        #expect(difference(["/end"], false) != nil)
        #expect(difference(["/start"], false) == nil)
        #expect(difference(["/nowhere", "/start"], false) == nil)
        #expect(difference(["/nowhere"], true) == "no connection carried t")
    }

    @Test("A connection that stays open is told apart")
    func open() {
        let rule = CloseRule(task: "t", byClient: true, mark: Make.mark)
        let difference = WireMatch.difference(of: rule, targets: ["/end"], events: Array(journal.dropLast(2)))
        #expect(difference?.contains("still open") == true)
    }
}
