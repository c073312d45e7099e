import Foundation
import Synchronization

/// What became of a commit's mutants, written down one by one: a run that was cut off goes on where it stopped.
///
/// Of files that are changed nothing is kept, since the next run may find them changed again.
final class FateJournal: Sendable {
    private struct Entry: Codable {
        let mutant: String
        let fate: Trial.Fate
    }

    private let known: [String: Trial.Fate]
    private let file: Mutex<FileHandle?>

    init(of commit: Commit, in folder: URL) throws {
        let path = folder.appending(path: "fates-\(commit.name).jsonl")
        let lines = commit.isClean ? (try? Data(contentsOf: path))?.split(separator: UInt8(ascii: "\n")) ?? [] : []
        // The last line may have been cut off as well.
        let entries = lines.compactMap { try? JSONDecoder().decode(Entry.self, from: $0) }
        known = Dictionary(entries.map { ($0.mutant, $0.fate) }) { $1 }
        guard commit.isClean else {
            file = Mutex(nil)
            return
        }
        if !FileManager.default.fileExists(atPath: path.path) { try Data().write(to: path) }
        let handle = try FileHandle(forWritingTo: path)
        try handle.seekToEnd()
        file = Mutex(handle)
    }

    /// As it is written down, or else as it is found now.
    func fate(of mutant: Mutant, find: (Mutant) throws -> Trial.Fate) throws -> Trial.Fate {
        if let fate = known[mutant.name] { return fate }
        let fate = try find(mutant)
        // Begins a line of its own, whatever was cut off before.
        let line = Data("\n".utf8) + (try JSONEncoder().encode(Entry(mutant: mutant.name, fate: fate)))
        try file.withLock { try $0?.write(contentsOf: line) }
        return fate
    }
}
