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

            Exit status: 0 printed, 2 the file cannot be used; the reason is printed.
            """)

    @Argument(help: "The scenario file, or its id.", completion: .file(extensions: ["yaml"]))
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
            Documentation/SCENARIO-FORMAT.md says how to give it to an editor.

            Example:
              understudy schema >scenario.schema.json

            Exit status: 0 printed, 2 it could not be written.
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
            A pattern is the beginning of an id, a glob or the path of a .yaml file, as for 'run'. Rows are those of \
            Documentation/BEHAVIOUR.md.

            Examples:
              understudy list download
              understudy list --rows

            Exit status: 0 listed, 2 wrong use or an unreadable scenario.
            """)

    @Argument(
        help: ArgumentHelp("What to list; everything without one.", valueName: "pattern"),
        completion: .file(extensions: ["yaml"]))
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
