import HTTPBasics
import Judge
import ScenarioFormat
import Serving

/// `understudy run --watch`: plays what the patterns mean, then again each scenario that changes.
package struct WatchedRun {
    private let options: RunOptions
    private let patterns: [ScenarioPattern]
    private let stop: StopSignal
    private let terminal: () -> any Reporter
    private let tell: (String) -> Void
    private let complain: (String) -> Void

    /// `terminal` makes the reporter of one run; `tell` is given lines about the watching itself.
    ///
    /// - Throws: `UsageError` for a pattern that means nothing.
    package init(
        _ options: RunOptions, terminal: @escaping () -> any Reporter, stop: StopSignal,
        tell: @escaping (String) -> Void, complain: @escaping (String) -> Void
    ) throws {
        self.options = options
        self.stop = stop
        self.terminal = terminal
        self.tell = tell
        self.complain = complain
        patterns = try options.patterns.map { try ScenarioLoading.pattern($0, root: options.root) }
        _ = try ScenarioLoading.load(root: options.root, patterns: patterns)
    }

    /// Blocks until it is stopped.
    package func run() throws -> RunStatus {
        let watch = try ScenarioWatch(folders: [options.root], stop: stop)
        var isFirst = true
        try watch.run(list: files) { paths in
            if !isFirst { tell(WatchText.changed(paths.map(id))) }
            isFirst = false
            return try play(paths)
        } wait: {
            tell(WatchText.waiting(for: [options.root]))
        }
        return .interrupted
    }

    private func files() throws -> [String] {
        (ScenarioLibrary(root: options.root)?.files(matching: patterns) ?? []).map(\.path)
    }

    private func id(_ path: String) -> String { ScenarioLibrary.id(String(path.dropFirst(options.root.count + 1))) }

    /// What cannot be read is complained of, and played as soon as it can.
    private func play(_ paths: [String]) throws -> [String: Set<String>] {
        var bodyFiles: [String: Set<String>] = [:], scenarios: [Scenario] = []
        for path in paths {
            let result = ScenarioReader.read(path: path, root: options.root)
            bodyFiles[path] = result.bodyFiles
            for diagnostic in result.diagnostics { complain(diagnostic.rendered()) }
            if let scenario = result.scenario { scenarios.append(scenario) }
        }
        let run = try ConformanceRun(
            options, playing: scenarios, patterns: patterns, terminal: terminal(), stop: stop)
        if !run.isEmpty { _ = try run.run() }
        return bodyFiles
    }
}

/// What a watching command says between its runs.
package enum WatchText {
    private static let mostNames = 5

    package static func changed(_ names: [String]) -> String {
        names.count > mostNames
            ? "\n\(names.count.counting("file")) changed" : "\nchanged: \(names.joined(separator: ", "))"
    }

    package static func waiting(for places: [String]) -> String {
        "Watching \(places.joined(separator: ", ")) for changes; Ctrl-C ends it."
    }
}
