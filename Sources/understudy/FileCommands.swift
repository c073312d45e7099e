import ArgumentParser
import Foundation
import Harness
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
            let rows = BehaviourRows.beside(root: library.root)
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

struct Mutate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make each expectation wrong in every way, and demand that the judge finds it.",
        discussion: """
            Examples:
              understudy mutate
              understudy mutate redirect download/cut*

            Exit status: 0 every mutant was found, 1 some survive or a case fails as it is, 2 wrong use.
            """)

    @Argument(help: "Which cases; all without one.")
    var patterns: [String] = []

    @OptionGroup var library: LibraryOptions

    func run() throws {
        try Output.guarding {
            let patterns = patterns.map { ScenarioLoading.pattern($0, root: library.root) }
            let loaded = try ScenarioLoading.load(root: library.root, patterns: patterns)
            for diagnostic in loaded.diagnostics { Output.error(diagnostic.rendered()) }
            if loaded.hasErrors { throw UsageError("some scenarios cannot be read") }
            let run = try MutationRun(loaded.scenarios, patterns: patterns)
            for id in run.unsound { try Output.line("\(id) fails as it is") }
            for survivor in run.survivors { try Output.line("\(survivor)") }
            try Output.line("\(run.mutants) mutants, \(run.survivors.count) survive")
            return run.survivors.isEmpty && run.unsound.isEmpty ? .passed : .failures
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
            let patterns = patterns.map { ScenarioLoading.pattern($0, root: library.root) }
            let loaded = try ScenarioLoading.load(root: library.root, patterns: patterns)
            for diagnostic in loaded.diagnostics { Output.error(diagnostic.rendered()) }
            if loaded.hasErrors { throw UsageError("some scenarios cannot be read") }
            if !rows, !patterns.isEmpty, ScenarioListing.cases(loaded.scenarios, patterns).isEmpty {
                throw UsageError("no case is meant by '\(self.patterns.joined(separator: " "))'")
            }
            let knownRows = BehaviourRows.rows(beside: library.root) ?? []
            let lines =
                rows
                ? ScenarioListing.rows(loaded.scenarios, known: patterns.isEmpty ? knownRows : [])
                : ScenarioListing.cases(loaded.scenarios, patterns)
            for line in lines { try Output.line(line) }
            return .passed
        }
    }
}
