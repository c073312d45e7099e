import Foundation

/// The format as a JSON Schema (draft 2020-12) for editors, printed from the key table.
///
/// An editor learns from it which keys there are and what kind of value each takes; what depends on other values
/// (ids, tasks, sizes of bodies) is for `lint`.
package enum KeySchema {
    private typealias Schema = [String: Any]

    package static func json() -> String {
        var definitions: Schema = ["variable": variable]
        for context in KeyContext.allCases { definitions[context.rawValue] = map(context) }
        let schema: Schema = [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Understudy scenario",
            "$ref": reference(.scenario),
            "$defs": definitions,
        ]
        let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data = (try? JSONSerialization.data(withJSONObject: schema, options: options)) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }

    /// `$name`, alone or within a text, may stand for any value.
    private static var variable: Schema { ["type": "string", "pattern": #"\$"#] }

    private static func reference(_ context: KeyContext) -> String { "#/$defs/\(context.rawValue)" }

    private static func map(_ context: KeyContext) -> Schema {
        let keys = KeyTable.keys(of: context)
        var properties: Schema = [:]
        for key in keys {
            var property = any(of: key.kind)
            property["description"] = key.meaning
            properties[key.name] = property
        }
        var schema: Schema = ["type": "object", "properties": properties]
        schema["additionalProperties"] = context == .expectation ? task : false
        let required = keys.filter(\.isRequired).map(\.name)
        if !required.isEmpty { schema["required"] = required }
        return context == .scenario ? schema.merging(company) { first, _ in first } : schema
    }

    /// Which keys of a scenario need which others.
    private static var company: Schema {
        let expecting: Schema = ["required": ["expect"], "properties": ["expect": ["minProperties": 1]]]
        let bending: Schema = ["required": ["bends"]]
        return [
            "dependentRequired": ["expect": ["client"], "differs": ["client"]],
            "dependentSchemas": ["client": ["anyOf": [expecting, bending]]],
        ]
    }

    /// What stands behind a task's label below `expect:`.
    private static var task: Schema {
        ["anyOf": [["$ref": reference(.taskExpectation)], ["type": "string"]] as [Schema]]
    }

    /// The schemas of which one must fit.
    private static func alternatives(_ kind: ValueKind) -> [Schema] {
        switch kind {
        case .text, .label, .requestLine, .landmark: [scalar]
        case .count: [["type": "integer"]]
        case .bytes, .sizeRule, .countRange: [["type": "integer"], ["type": "string"]]
        case .size, .duration, .durationRange: [["type": "string", "pattern": "^[0-9]"]]
        case .rate: [["type": "string", "pattern": "^[0-9]+[A-Za-z]+/s$"]]
        case .percent: [["type": "string", "pattern": "^[0-9]+%$"]]
        // What YAML 1.1 reads as a truth value, YAML 1.2 reads as a word.
        case .yesNo: [["enum": [true, false, "yes", "no"] as [Any]]]
        case .status: [["type": "integer", "minimum": 100, "maximum": 999]]
        // A version such as 1.2 is a number to YAML.
        case .words(let words):
            [["enum": words as [Any] + words.compactMap { $0.first?.isNumber == true ? Double($0) : nil }]]
        case .body: [scalar, ["$ref": reference(.bodyDefinition)]]
        case .headers: [["type": "object", "additionalProperties": fieldValue]]
        case .fieldRules, .itemRules: [["type": "object", "additionalProperties": demand]]
        case .outcome: [scalar, ["type": "array", "items": scalar], ["$ref": reference(.completeEvent)]]
        // An event of which nothing but its name matters stands alone.
        case .map(.eventPattern):
            [["enum": ["anything"] + EventWord.allCases.map(\.rawValue)], ["$ref": reference(.eventPattern)]]
        case .map(let context): [["$ref": reference(context)]]
        case .mapOf(let kind): [["type": "object", "additionalProperties": any(of: kind)]]
        case .list(let kind): [["type": "array", "items": any(of: kind)]]
        case .either(let kinds): kinds.flatMap(alternatives)
        case .any: [[:]]
        }
    }

    private static func any(of kind: ValueKind) -> Schema {
        ["anyOf": alternatives(kind) + [["$ref": "#/$defs/variable"]]]
    }

    /// Plain numbers and truth values are text where text is wanted.
    private static var scalar: Schema { ["type": ["string", "number", "boolean"]] }

    private static var demand: Schema { ["anyOf": [fieldValue, ["$ref": reference(.fieldDemand)]] as [Schema]] }

    private static var fieldValue: Schema {
        ["anyOf": [scalar, ["type": "array", "items": scalar]] as [Schema]]
    }
}
