import ArgumentParser
import Foundation
import HTTPBasics
import Harness
import Judge
import ScenarioFormat
import Serving

struct Lint: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check scenario files: syntax, keys, units, and things that cannot be meant.",
        discussion: """
            Each complaint names file, line and column, and a remedy where there is one.

            Examples:
              understudy lint                         every file below scenarios/
              understudy lint scenarios/pool mock.yaml
              understudy lint --watch                 again each file that changes

            Exit status: 0 no error, 2 at least one or wrong use, 130 --watch was interrupted. Warnings alone are no \
            error unless --strict.
            """)

    @Argument(
        help: ArgumentHelp("Files, folders or ids; the scenario folder without one.", valueName: "path"),
        completion: .file(extensions: ["yaml"]))
    var paths: [String] = []

    @OptionGroup var library: LibraryOptions

    @Flag(help: "Warnings count as errors.")
    var strict = false

    @Flag(help: "Go on, and check again each file that changes, until Ctrl-C.")
    var watch = false

    func run() throws {
        try Output.guarding {
            guard watch else {
                let count = try lint(try allFiles()).count
                return count.errors > 0 || strict && count.warnings > 0 ? .usage : .passed
            }
            try lintAndWatch()
            return .interrupted
        }
    }

    private func lintAndWatch() throws {
        let stop = StopSignal()
        let interruption = InterruptSignals(stop)
        defer { withExtendedLifetime(interruption) {} }
        let places = (paths.isEmpty ? [library.root] : paths).map { ScenarioFile.resolved($0, root: library.root) }
        let watch = try ScenarioWatch(
            folders: places.filter { !$0.hasSuffix(".yaml") }, files: places.filter { $0.hasSuffix(".yaml") },
            stop: stop)
        var isFirst = true
        try watch.run(list: allFiles) { files in
            if !isFirst { try Output.line(WatchText.changed(files)) }
            isFirst = false
            return try lint(files).bodyFiles
        } wait: {
            Output.tell(WatchText.waiting(for: places) + "\n")
        }
    }

    private typealias Count = (errors: Int, warnings: Int)

    private func lint(_ files: [String]) throws -> (count: Count, bodyFiles: [String: Set<String>]) {
        var count: Count = (0, 0), bodyFiles: [String: Set<String>] = [:]
        let rows = BehaviourRows.ids(beside: library.root)
        for path in files {
            let result = ScenarioReader.read(path: path, root: library.root, knownRows: rows)
            bodyFiles[path] = result.bodyFiles
            let unplayed = result.scenario.map { Suitability.warnings($0) + UnheardEvents.notes($0) } ?? []
            for diagnostic in result.diagnostics + unplayed {
                try Output.line(diagnostic.rendered())
                switch diagnostic.severity {
                case .error: count.errors += 1
                case .warning: count.warnings += 1
                case .note: break
                }
            }
        }
        let counts = [files.count.counting("file"), count.errors.counting("error"), count.warnings.counting("warning")]
        try Output.line(counts.joined(separator: ", "))
        return (count, bodyFiles)
    }

    private func allFiles() throws -> [String] {
        var known: Set<String> = []
        return try (paths.isEmpty ? [library.root] : paths).flatMap { path -> [String] in
            let path = ScenarioFile.resolved(path, root: library.root)
            if path.hasSuffix(".yaml") { return [path] }
            guard let library = ScenarioLibrary(root: path) else {
                throw UsageError("there is no folder and no .yaml file '\(path)'")
            }
            // Whoever watches may be about to write the first.
            if library.entries.isEmpty, !watch { throw UsageError("there is no .yaml file below '\(path)'") }
            return library.entries.map(\.path)
        }
        .filter { known.insert(URL(fileURLWithPath: $0).standardizedFileURL.path).inserted }
    }
}
