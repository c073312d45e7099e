import Testing

@testable import ScenarioFormat

@Suite("Case expansion")
struct CaseExpansionTests {
    private func ids(_ head: String, using names: [String]) throws -> [String] {
        let body = names.map { "$\($0)" }.joined(separator: " ")
        let text = head + "\nserver:\n  - {request: GET /, reply: {body: \"\(body)\"}}\n"
        let result = ScenarioReader.read(text: text, file: "topic/it.yaml")
        let scenario = try #require(result.scenario, "\(result.diagnostics.map { $0.rendered() })")
        return scenario.cases.map { scenario.id(of: $0) }
    }

    @Test("a file without cases is one case without a name")
    func none() throws { #expect(try ids("about: x", using: []) == ["topic/it"]) }

    @Test("rows are named by their name, spaces become dashes")
    func named() throws {
        let head = "cases: [{name: GET is retried, a: 1}, {name: other, a: 2}]"
        #expect(try ids(head, using: ["a"]) == ["topic/it/GET-is-retried", "topic/it/other"])
    }

    @Test("rows without a name are called after as many values as tell them apart")
    func values() throws {
        let one = "cases: [{status: 301, method: GET}, {status: 302, method: GET}]"
        #expect(try ids(one, using: ["status", "method"]) == ["topic/it/301", "topic/it/302"])
        let two = "cases: [{status: 301, method: GET}, {status: 301, method: PUT}]"
        #expect(try ids(two, using: ["status", "method"]) == ["topic/it/301-GET", "topic/it/301-PUT"])
    }

    @Test("a matrix multiplies, with and without rows")
    func matrix() throws {
        let head = "matrix: {effect: [fin, reset], size: [1, all]}"
        let products = ["fin-1", "fin-all", "reset-1", "reset-all"]
        #expect(try ids(head, using: ["effect", "size"]) == products.map { "topic/it/" + $0 })
        let both = "cases: [{name: a, x: 1}, {name: b, x: 2}]\nmatrix: {y: [1, 2]}"
        #expect(try ids(both, using: ["x", "y"]) == ["a-1", "a-2", "b-1", "b-2"].map { "topic/it/" + $0 })
    }

    @Test(
        "names become one word",
        arguments: [
            ("a b", "a-b"), ("  a/b  ", "a-b"), ("!!", ""), ("a=1", "a=1"), ("größe", "gr-e"), ("1.5+x_y", "1.5+x_y"),
        ])
    func dashes(text: String, wanted: String) { #expect(CaseExpansion.dashed(text) == wanted) }
}
