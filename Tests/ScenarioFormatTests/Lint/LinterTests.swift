import ServerScript
import Testing

@testable import ScenarioFormat

@Suite("Linter")
struct LinterTests {
    @Test(
        "a server without steps and routes is of use only to a client that needs none",
        arguments: [
            ("server: []\n", true), ("routes: []\n", true), ("server: []\notherwise: {reply: {status: 200}}\n", false),
        ])
    func purpose(text: String, isWarned: Bool) {
        #expect(messages(text).contains { $0.contains("nothing is served") } == isWarned)
        let client = "client: [{task: t, request: GET /}, {await: t}]\nexpect: {t: {fail: cancelled}}\n"
        #expect(!messages(text + client).contains { $0.contains("nothing is served") })
    }

    @Test("judges a scenario that was read before")
    func rows() throws {
        let text = "rows: [1.C1, 2.I17]\nserver: [{request: GET /}]\n"
        let scenario = try #require(ScenarioReader.read(text: text, file: "a.yaml").scenario)
        #expect(Linter.lint(scenario, text: text, knownRows: ["1.C1", "2.I17"]) == [])
        let found = Linter.lint(scenario, text: text, knownRows: ["1.C1"])
        #expect(found.map(\.mark.column) == [14])
        #expect(Linter.lint(scenario, text: text) == [])
    }

    private func messages(_ text: String) -> [String] {
        ScenarioReader.read(text: text, file: "a.yaml").diagnostics.map(\.message)
    }

    @Test("a reset makes exact totals doubtful over sockets only")
    func totals() {
        let head = "server: [{request: /one, reply: {body: abcdef, fault: {at: body+3, do: reset}}}]\n"
        let client = "client: [{task: t, request: /one}, {await: t}]\n"
        func events(_ total: String) -> String {
            "expect: {t: {events: [response, data: {total: \(total)}, complete: networkConnectionLost]}}\n"
        }
        #expect(messages(head + client + events("3")).count == 1)
        #expect(messages(head + client + events("at-most 3")) == [])
        #expect(messages("clock: virtual\n" + head + client + events("3")) == [])
    }

    @Test(
        "a route is covered by an earlier one of the same host that asks for no more",
        arguments: [
            ("any", "/a", true), ("any /a*", "GET /abc", true), ("GET /a*", "POST /abc", false), ("/a", "/a", true),
            ("/a, where: {absent: [X]}", "/a", false), ("/a, host: b.test", "/a", false), ("any /a", "any", false),
            ("/a", "/a, host: b.test", false), ("/a, host: a.test", "/a", true),
        ])
    func routes(first: String, second: String, isCovered: Bool) {
        let text = "hosts: [a.test, b.test]\nroutes: [{request: \(first)}, {request: \(second)}]\n"
        #expect(messages(text).count == (isCovered ? 1 : 0))
    }

    @Test(
        "a bound counts the pauses up to the body's last byte, and no others",
        arguments: [
            ("body: abcd, delay: 2s", true), ("body: abcd, send: [{wait: 2s}, rest]", true),
            ("body: abcd, send: [{bytes: 2}, {wait: 2s}]", true), ("body: abcd, send: [rest, {wait: 2s}]", false),
            ("body: abcd, send: [{bytes: 4}, {wait: 2s}]", false), ("send: [{wait: 2s}]", false),
            ("body: abcd, send: [{repeat: 4, do: [{bytes: 1}, {wait: 600ms}]}]", true),
            ("body: abcd, send: [{repeat: 2, do: [{bytes: 2}, {wait: 900ms}]}]", false),
            ("body: abcd, send: [{repeat: 100000, do: [{repeat: 100000, do: [{wait: 1ms}]}]}]", true),
            ("body: abcd, chunked: 2, send: [rest, {wait: 2s}]", true),
            ("body: abcd, fault: {at: end, do: {delay: 2s}}", false),
            ("body: abcd, fault: {at: body+4, do: {delay: 2s}}", true),
            ("body: abcd, fault: {at: idle+2s, do: fin}", false),
            ("status: 204, send: [{wait: 2s}]", false), ("interim: [{status: 103, delay: 2s}]", true),
        ])
    func bounds(reply: String, isBelow: Bool) {
        let text = """
            server: [{request: /one, reply: {\(reply)}}]
            client: [{task: t, request: /one}, {await: t}]
            expect: {t: {complete: ok, timing: [{event: complete, since: resume, within: 0s..1500ms}]}}

            """
        #expect(messages(text) == (isBelow ? [messages(text).first ?? "a warning"] : []))
        #expect(messages(text).allSatisfy { $0.contains("pauses alone take") })
    }

    @Test(
        "where requests go is only judged where the file tells",
        arguments: [
            ("/other", ""), ("/../hello", ""), ("$origin.b.test/hello", ""), ("http://c.test/hello", ""),
            ("/h\u{e9}llo", ""),
            ("/hello", "{answer: {redirect: {rewrite: GET /other}}}, "),
        ])
    func destinations(target: String, step: String) {
        let text = """
            hosts: [a.test, b.test]
            server: [{request: GET /hello, reply: {status: 302, headers: {Location: /other}}}, {request: GET /other}]
            routes: [{request: any}, {request: any, host: b.test}]
            client: [\(step){task: t, request: "\(target)"}, {await: t}]
            expect: {t: ok}

            """
        #expect(messages(text) == [])
    }
}
