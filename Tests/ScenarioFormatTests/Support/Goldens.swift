import Foundation
import Testing

/// Files beside the tests, and texts that are compared with them.
enum Goldens {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    static let package = folder.deletingLastPathComponent().deletingLastPathComponent()

    static var isUpdating: Bool { ProcessInfo.processInfo.environment["UNDERSTUDY_UPDATE_GOLDENS"] == "1" }

    /// Files of a folder with this ending, sorted.
    static func files(in name: String, ending: String) -> [String] {
        let names =
            (try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(name).path)) ?? []
        return names.filter { $0.hasSuffix(ending) }.sorted()
    }

    static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }

    /// Compares with a golden file, or writes it.
    static func expect(_ text: String, matches file: URL, sourceLocation: SourceLocation = #_sourceLocation) throws {
        if isUpdating { try text.write(to: file, atomically: true, encoding: .utf8) }
        let golden = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        #expect(text == golden, "run with UNDERSTUDY_UPDATE_GOLDENS=1 to accept", sourceLocation: sourceLocation)
    }
}
