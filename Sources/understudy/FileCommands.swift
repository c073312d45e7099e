import ArgumentParser
import Foundation
import Harness
import Judge
import ScenarioFormat

struct Lint: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check scenario files: syntax, keys, units, and things that cannot be meant.",
        discussion: """
            Examples:
              understudy lint                         every file below scenarios/
              understudy lint scenarios/pool mock.yaml

            Exit status: 0 no error, 2 at least one. Warnings alone are no error unless --strict.
            """)

    @Argument(help: "Files or folders; the scenario folder without one.")
    var paths: [String] = []

    @OptionGroup var library: LibraryOptions

    @Flag(help: "Warnings count as errors.")
    var strict = false

    func run() throws {
        try Output.guarding {
            var files = 0, errors = 0, warnings = 0
            let rows = BehaviourRows.ids(beside: library.root)
            for path in try allFiles() {
                files += 1
                let result = ScenarioReader.read(path: path, root: library.root, knownRows: rows)
                for diagnostic in result.diagnostics {
                    try Output.line(diagnostic.rendered())
                    if diagnostic.severity == .error { errors += 1 } else { warnings += 1 }
                }
            }
            let counts = [(files, "file"), (errors, "error"), (warnings, "warning")]
            try Output.line(counts.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: ", "))
            return errors > 0 || strict && warnings > 0 ? .usage : .passed
        }
    }

    private func allFiles() throws -> [String] {
        try (paths.isEmpty ? [library.root] : paths).flatMap { path -> [String] in
            let path = ScenarioFile.resolved(path, root: library.root)
            if path.hasSuffix(".yaml") { return [path] }
            guard let library = ScenarioLibrary(root: path) else {
                throw UsageError("there is no folder and no .yaml file '\(path)'")
            }
            return library.entries.map(\.path)
        }
    }
}

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
            } else {
                lines = ScenarioListing.cases(scenarios, patterns)
                if lines.isEmpty, !patterns.isEmpty {
                    throw UsageError("no case is meant by '\(self.patterns.joined(separator: " "))'")
                }
            }
            for line in lines { try Output.line(line) }
            return .passed
        }
    }
}
