import ServerScript
import Testing

@testable import ScenarioFormat

@Suite("Linter")
struct LinterTests {
    @Test("judges a scenario that was read before")
    func rows() throws {
        let text = "rows: [1.C1, 2.I17]\nserver: []\n"
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
        "a route is covered by an earlier one that asks for no more",
        arguments: [
            ("any", "/a", true), ("any /a*", "GET /abc", true), ("GET /a*", "POST /abc", false), ("/a", "/a", true),
            ("/a, where: {absent: [X]}", "/a", false), ("/a, host: b.test", "/a", false), ("any /a", "any", false),
            ("/a", "/a, host: b.test", true),
        ])
    func routes(first: String, second: String, isCovered: Bool) {
        let text = "hosts: [a.test, b.test]\nroutes: [{request: \(first)}, {request: \(second)}]\n"
        #expect(messages(text).count == (isCovered ? 1 : 0))
    }
}
