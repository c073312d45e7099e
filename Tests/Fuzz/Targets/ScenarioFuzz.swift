import NIOCore
import ScenarioFormat
import ServerScript

/// A scenario file: reading, complaining and printing.
enum ScenarioFuzz {
    static func check(_ bytes: ByteBuffer) throws {
        guard let text = String(validating: bytes.readableBytesView, as: UTF8.self) else { return }
        let result = ScenarioReader.read(text: text, file: "fuzz.yaml")
        try demand((result.scenario == nil) == result.hasErrors, "a bad file must not run, and a good one must")
        try demand(result.diagnostics.count <= 21, "\(result.diagnostics.count) diagnostics")
        let lines = text.unicodeScalars.count { $0 == "\n" } + 1
        for diagnostic in result.diagnostics {
            try demand(
                1...lines ~= diagnostic.mark.line && diagnostic.mark.column >= 1, "no such place: \(diagnostic.mark)")
            try demand(!diagnostic.rendered().isEmpty, "an empty message")
        }
        guard let scenario = result.scenario else { return }
        _ = ScenarioPrinter.show(scenario)
        // Five cases of five hundred say as much as all.
        for item in scenario.cases.prefix(5) {
            var single = scenario
            single.cases = [item]
            single.cases[0].name = nil
            try checkRoundTrip(single)
        }
    }

    /// A case that was written to a file is the same case, and what is shown of it is shown of the page again.
    private static func checkRoundTrip(_ scenario: Scenario) throws {
        let file = ScenarioPrinter.file(scenario)
        try demand(words(of: read(file)), equals: words(of: scenario), "a file reads back to other values:\n\(file)")
        let page = ScenarioPrinter.show(scenario)
        try demand(ScenarioPrinter.show(read(page)), equals: page, "a page reads back to another page")
    }

    private static func read(_ text: String) throws -> Scenario {
        let result = ScenarioReader.read(text: text, file: "fuzz.yaml")
        if let scenario = result.scenario { return scenario }
        let complaints = result.diagnostics.map { $0.rendered() }.joined(separator: "\n")
        throw Violation(description: "what was printed does not read back:\n\(complaints)\n\(text)")
    }

    /// Everything inside a value but the places where it was written.
    private static func words(of value: Any) -> String {
        if value is SourceMark { return "" }
        if value is [UInt8] { return "\(value)" }
        let mirror = Mirror(reflecting: value)
        guard !mirror.children.isEmpty else { return "\(value)" }
        let parts = mirror.children.map { "\($0.label ?? ""):\(words(of: $0.value))" }
        return "\(mirror.subjectType)(\(parts.joined(separator: ",")))"
    }
}
