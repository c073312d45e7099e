import HTTPBasics
import Testing

@testable import ServerScript

@Suite struct PlannedMatchTests {
    private func match(_ change: (inout RequestMatch) -> Void) -> RequestMatch {
        var match = RequestMatch("GET", "/a")
        change(&match)
        return match
    }

    private func head(_ line: String, minorVersion: Int = 1, _ fields: [Fields.Field] = []) -> ReceivedHead {
        let words = line.split(separator: " ").map(String.init)
        return ReceivedHead(method: words[0], target: words[1], minorVersion: minorVersion, fields: Fields(fields))
    }

    @Test("What has no difference matches, and what has one does not")
    func agreement() throws {
        let accept = [Fields.Field("Accept", "text/html"), Fields.Field("Accept", "a/b")]
        let rows: [(RequestMatch, ReceivedHead, [String])] = [
            (match { _ in }, head("GET /a"), []),
            (
                match { _ in }, head("PUT /a?x"),
                ["method: wanted GET, got PUT", "target: wanted /a, got /a?x; 'query: any' takes any query"]
            ),
            (match { _ in }, head("GET /b?x"), ["target: wanted /a, got /b?x"]),
            (
                match { $0.target = "/i/{n}" }, head("GET /i/7?x"),
                ["target: wanted /i/{n}, got /i/7?x; 'query: any' takes any query"]
            ),
            (match { $0.target = "/i/{n}" }, head("GET /i/7"), []),
            (match { $0.target = "/i/{n}" }, head("GET /j/7"), ["target: wanted /i/{n}, got /j/7"]),
            (match { $0.query = [] }, head("GET /a?x=1"), []),
            (match { $0.query = [.init("p", .values(["2"]))] }, head("GET /a?q=1&p=2"), []),
            (
                match { $0.query = [.init("p", .values(["2"]))] }, head("GET /a?p=3"),
                ["query p: wanted \"2\", got \"3\""]
            ),
            (
                match { $0.query = [.init("p", .some(.present))] }, head("GET /a"),
                ["query p: wanted any value, got none"]
            ),
            (match { $0.query = [.init("p", .none)] }, head("GET /a?p"), ["query p: wanted none, got \"\""]),
            (match { $0.fields = [.init("accept", .contains("html"))] }, head("GET /a", accept), []),
            (
                match { $0.fields = [.init("Accept", .contains("xml"))] }, head("GET /a", accept),
                ["Accept: wanted something with \"xml\" in it, got \"text/html, a/b\""]
            ),
            (match { $0.fields = [.init("X", .present)] }, head("GET /a"), ["X: wanted any value, got none"]),
            (match { $0.absent = ["Accept"] }, head("GET /a", accept), ["Accept: wanted none, got \"text/html\""]),
            (match { $0.minorVersion = 0 }, head("GET /a", minorVersion: 0), []),
            (match { $0.minorVersion = 0 }, head("GET /a"), ["version: wanted HTTP/1.0, got HTTP/1.1"]),
            (match { ($0.connection, $0.exchange) = (2, 3) }, head("GET /a"), []),
            (match { $0.connection = 1 }, head("GET /a"), ["connection: wanted number 1 of the round, got 2"]),
            (match { $0.exchange = 1 }, head("GET /a"), ["exchange: wanted number 1 of its connection, got 3"]),
        ]
        let place = RequestPlace(connection: 2, exchange: 3)
        for (match, head, wanted) in rows {
            #expect(match.differences(from: head, at: place).map(\.text) == wanted)
            #expect(PlannedMatch(match).matches(head, at: place) == wanted.isEmpty)
        }
    }

    @Test("Patterns in fields, and a value that is too long for one")
    func patterns() throws {
        let pattern = try TextPattern("^a+$")
        let rule = match { $0.fields = [.init("X", .matches(pattern))] }
        #expect(PlannedMatch(rule).matches(head("GET /a", [.init("X", "aaa")]), at: .first))
        let long = head("GET /a", [.init("X", String(repeating: "a", count: 20000))])
        #expect(!PlannedMatch(rule).matches(long, at: .first))
        let text = try #require(rule.differences(from: long).first?.text)
        #expect(
            text.hasPrefix("X: wanted something that matches /^a+$/, got")
                && text.hasSuffix("that a pattern is looked for in"))
        // It may be the secret itself.
        let word = try TextPattern("^opensesame$")
        let secret = match {
            $0.fields = [.init("X-Api-Key", .matches(word))]
            $0.query = [.init("token", .some(.matches(word)))]
        }
        let found = secret.differences(from: head("GET /a?token=x", [.init("X-Api-Key", "y")])).map(\.text)
        #expect(found.count == 2 && !found.joined().contains("sesame"))
    }

    @Test("Captures")
    func captures() {
        let planned = PlannedMatch(match { ($0.target, $0.query) = ("/i/{n}/{rest*}", []) })
        #expect(
            planned.captures(in: head("GET /i/7/a/b?x=1")).map { "\($0)" } == [
                #"(name: "n", value: "7")"#, #"(name: "rest", value: "a/b")"#,
            ])
        #expect(PlannedMatch(match { _ in }).captures(in: head("GET /a")).isEmpty)
    }
}
