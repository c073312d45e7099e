import Foundation
import ServerScript

/// What became of one file.
package struct ReadResult: Sendable {
    /// Nil when there is an error among the diagnostics: a bad file never runs half.
    package var scenario: Scenario?
    package var diagnostics: [Diagnostic]
    /// Files that it names under `file:`, also those that are not there.
    package var bodyFiles: Set<String> = []
    /// Of all its cases that have one, decoded or not.
    package var caseNames: [String] = []

    package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

/// Which of a file's cases are decoded. Five hundred large ones take gigabytes of memory: who wants one asks for it.
package enum CaseChoice: Hashable, Sendable {
    case all
    /// The one of that name, or the first; none, if there is none. What is wrong with the others is not found.
    case one(String?)

    func wants(_ name: String?, at index: Int) -> Bool {
        switch self {
        case .all: true
        case .one(let wanted): wanted.map { $0 == name } ?? (index == 0)
        }
    }
}

/// Reads scenario files. Every mistake becomes a diagnostic; nothing is thrown and nothing traps.
package enum ScenarioReader {
    /// Reads the file at `path`. Below `root`, positions and the id are relative to it.
    package static func read(
        path: String, root: String, cases: CaseChoice = .all, knownRows: Set<String>? = nil
    ) -> ReadResult {
        let file = ScenarioLibrary.relativePath(of: path, below: root)
        let name = file ?? path
        var status = stat()
        guard stat(path, &status) == 0 else { return failure(reason(errno), path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            return failure(status.st_mode & S_IFMT == S_IFDIR ? "is a folder" : "is no file", path)
        }
        guard status.st_size <= SourceText.maximumBytes else {
            return failure("the file is larger than 256 KiB", path)
        }
        guard let data = FileManager.default.contents(atPath: path) else { return failure(reason(errno), path) }
        guard let text = String(validating: data, as: UTF8.self) else { return failure("not UTF-8", path) }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        return read(
            text: text, file: name, folder: folder, id: file.map(ScenarioLibrary.id), cases: cases,
            knownRows: knownRows)
    }

    /// Reads a text. Bodies of `file:` are looked for in `folder`; without one they are refused.
    package static func read(
        text: String, file: String, folder: String? = nil, id: String? = nil, cases: CaseChoice = .all,
        knownRows: Set<String>? = nil
    ) -> ReadResult {
        let session = session(text: text, file: file, folder: folder)
        return read(session, id: id, cases: cases, knownRows: knownRows)
    }

    static func session(text: String, file: String, folder: String? = nil) -> DecodingSession {
        DecodingSession(log: DiagnosticLog(source: SourceText(file: file, text: text)), folder: folder)
    }

    static func read(
        _ session: DecodingSession, id: String?, cases: CaseChoice = .all, knownRows: Set<String>? = nil
    ) -> ReadResult {
        let log = session.log
        let parser = StrictParser(source: log.source, log: log)
        guard let root = parser.parse(), !root.isBroken else {
            return ReadResult(diagnostics: log.diagnostics)
        }
        var scenario = ScenarioDecoder(session: session, placeID: id, choice: cases).decode(root)
        if scenario?.id.isEmpty == true { scenario?.id = ScenarioLibrary.id(log.source.file) }
        if let scenario, !log.hasErrors {
            Linter(scenario, log: log, knownRows: knownRows, isWhole: cases == .all).lint()
        }
        return ReadResult(
            scenario: log.hasErrors ? nil : scenario, diagnostics: log.diagnostics, bodyFiles: session.bodyFiles,
            caseNames: session.caseNames)
    }

    private static func reason(_ code: Int32) -> String { "cannot be read: \(String(cString: strerror(code)))" }

    /// About the file as a whole: no line is meant.
    private static func failure(_ message: String, _ file: String) -> ReadResult {
        let mark = SourceMark(file: file, line: 0, column: 0)
        return ReadResult(diagnostics: [Diagnostic(.error, at: mark, message: message)])
    }
}
