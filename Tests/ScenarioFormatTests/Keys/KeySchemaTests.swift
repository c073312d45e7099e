import Foundation
import Testing

@testable import ScenarioFormat

@Suite("JSON Schema")
struct KeySchemaTests {
    private let schema: [String: Any]
    private let definitions: [String: [String: Any]]

    init() throws {
        let parsed = try JSONSerialization.jsonObject(with: Data(KeySchema.json().utf8))
        schema = try #require(parsed as? [String: Any])
        definitions = try #require(schema["$defs"] as? [String: [String: Any]])
    }

    @Test("Every kind of map has the keys of the table, no others, and the same required ones")
    func keys() throws {
        for context in KeyContext.allCases {
            let definition = try #require(definitions[context.rawValue])
            let properties = try #require(definition["properties"] as? [String: Any])
            #expect(properties.keys.sorted() == KeyTable.keys(of: context).map(\.name).sorted())
            let required = definition["required"] as? [String] ?? []
            #expect(required == KeyTable.keys(of: context).filter(\.isRequired).map(\.name))
            if context != .expectation { #expect(definition["additionalProperties"] as? Bool == false) }
        }
    }

    @Test("A client needs expectations, unless its answers are bent; these and differences need a client")
    func company() throws {
        let scenario = try #require(definitions[KeyContext.scenario.rawValue])
        #expect(scenario["dependentRequired"] as? [String: [String]] == ["expect": ["client"], "differs": ["client"]])
        let dependent = try #require(scenario["dependentSchemas"] as? [String: [String: Any]])
        let ways = try #require(dependent["client"]?["anyOf"] as? [[String: Any]])
        #expect(ways.compactMap { $0["required"] as? [String] } == [["expect"], ["bends"]])
        let expect = (ways[0]["properties"] as? [String: [String: Int]])?["expect"]
        #expect(expect == ["minProperties": 1])
    }

    @Test("Every reference leads somewhere")
    func references() {
        var dangling: Set<String> = []
        func walk(_ value: Any) {
            if let list = value as? [Any] { list.forEach(walk) }
            guard let map = value as? [String: Any] else { return }
            if let target = map["$ref"] as? String, definitions[String(target.dropFirst("#/$defs/".count))] == nil {
                dangling.insert(target)
            }
            map.values.forEach(walk)
        }
        walk(schema)
        #expect(dangling.isEmpty)
    }
}
