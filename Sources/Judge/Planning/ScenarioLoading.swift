import Foundation
import ScenarioFormat

/// From file names and patterns to scenarios.
package enum ScenarioLoading {
    package struct Loaded: Sendable {
        package var scenarios: [Scenario] = []
        package var diagnostics: [Diagnostic] = []

        package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
    }

    /// Reads every scenario that the patterns may mean; all of them without patterns.
    ///
    /// - Throws: `UsageError` when there is no such folder, and when a pattern means none of the cases.
    package static func load(root: String, patterns: [ScenarioPattern]) throws -> Loaded {
        guard let library = ScenarioLibrary(root: root) else {
            throw UsageError("there is no folder '\(root)'; name another one with --scenarios")
        }
        var loaded = Loaded()
        for entry in library.files(matching: patterns) {
            let result = ScenarioReader.read(path: entry.path, root: root)
            loaded.diagnostics += result.diagnostics
            if let scenario = result.scenario { loaded.scenarios.append(scenario) }
        }
        let ids = loaded.scenarios.flatMap { scenario in scenario.cases.map(scenario.id(of:)) }
        let known = library.entries.map(\.id) + ids
        // A file that cannot be read may hold what was meant: then its mistakes are the answer.
        if !loaded.hasErrors, let complaint = ScenarioPattern.complaint(of: patterns, meaning: ids, among: known) {
            throw UsageError(complaint)
        }
        return loaded
    }

    /// A worker's way to a scenario: by its id.
    package static func scenario(root: String, id: String) throws -> Scenario {
        let result = ScenarioReader.read(path: "\(root)/\(id).yaml", root: root)
        guard let scenario = result.scenario else {
            throw UsageError(result.diagnostics.first?.rendered() ?? "\(id) cannot be read")
        }
        return scenario
    }

    /// People complete file names with the Tab key: `scenarios/redirect/post.yaml` means `redirect/post`, wherever the
    /// path begins.
    ///
    /// - Throws: `UsageError` when it is empty: a shell variable in it probably was.
    package static func pattern(_ text: String, root: String) throws -> ScenarioPattern {
        if text.isEmpty { throw UsageError("a pattern is empty; leave it out to mean everything") }
        let isFolder = text.hasSuffix("/")
        if let path = ScenarioLibrary.relativePath(of: text, below: root) {
            return ScenarioPattern(ScenarioLibrary.id(path) + (isFolder ? "/" : ""))
        }
        let isRoot = isFolder && ScenarioLibrary.relativePath(of: text + "all", below: root) != nil
        return ScenarioPattern(isRoot ? "" : ScenarioLibrary.id(text))
    }
}
