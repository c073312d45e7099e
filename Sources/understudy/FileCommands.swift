import ArgumentParser
import Foundation
import Harness
import Judge
import ScenarioFormat

struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print a scenario with its cases expanded and its variables replaced.",
        discussion: """
            Example:
              understudy show scenarios/redirect/post-becomes-get.yaml
            """)

    @Argument(help: "The scenario file.", completion: .file(extensions: ["yaml"]))
    var file: String

    func run() throws {
        try Output.guarding {
            let text = ScenarioPrinter.show(try ScenarioFile.read(file))
            try Output.line(text.hasSuffix("\n") ? String(text.dropLast()) : text)
            return .passed
        }
    }
}

struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the scenario format as a JSON Schema, for editors.",
        discussion: """
            Example:
              understudy schema >scenario.schema.json
            """)

    func run() throws {
        try Output.guarding {
            try Output.line(KeySchema.json())
            return .passed
        }
    }
}

struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List cases, or the behaviour rows that scenarios prove.",
        discussion: """
            Examples:
              understudy list download
              understudy list --rows
            """)

    @Argument(help: "What to list; everything without one.")
    var patterns: [String] = []

    @OptionGroup var library: LibraryOptions

    @Flag(help: "List each behaviour row with the scenarios that prove it.")
    var rows = false

    func run() throws {
        try Output.guarding {
            let (scenarios, patterns) = try library.scenarios(matching: patterns)
            let lines: [String]
            if rows {
                let known = patterns.isEmpty ? BehaviourRows.rows(beside: library.root) : nil
                lines = ScenarioListing.rows(scenarios, known: known ?? [])
                if lines.isEmpty { Output.error("none of these scenarios names a behaviour row under 'rows:'") }
            } else {
                lines = ScenarioListing.cases(scenarios, patterns)
            }
            for line in lines { try Output.line(line) }
            return .passed
        }
    }
}
