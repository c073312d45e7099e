import Foundation

/// What is mutated, by its name in git.
struct Commit {
    /// Short, with a mark where files are changed.
    let name: String
    /// The beginning of its hash: it decides what is played of what is not played whole.
    let number: Int

    var isClean: Bool { !name.hasSuffix("-dirty") }

    init(of root: URL) throws {
        let output = root.appending(path: ".build/mutation/commit")
        try FileManager.default.createDirectory(
            at: output.deletingLastPathComponent(), withIntermediateDirectories: true)
        func git(_ words: String...) throws -> String {
            guard try Run.command(["git"] + words, in: root, output: output) == .exited(0) else {
                throw Complaint("git does not know \(root.path)")
            }
            return try String(contentsOf: output, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        }
        // What becomes of a mutant does not depend on which of them are called equivalent.
        let changes = try git(
            "status", "--porcelain", "--untracked-files=no", "--", ".", ":!Tests/Mutation/equivalents.txt")
        name = try git("rev-parse", "--short", "HEAD") + (changes.isEmpty ? "" : "-dirty")
        number = Int(try git("rev-parse", "--short=8", "HEAD").prefix(8), radix: 16) ?? 0
    }
}
