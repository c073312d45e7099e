import CacheFiles
import Glibc

/// Two processes that store into one folder, killed at random moments.
struct Kills {
    let folder: String

    func run(_ count: Int) {
        var random = SystemRandomNumberGenerator()
        var found = 0
        for round in stride(from: 0, to: count, by: 2) {
            for writer in Writer.two(in: folder) {
                _ = poll(nil, 0, Int32.random(in: 0...40, using: &random))
                guard writer.kill() else {
                    CacheWriterProgram.fail("round \(round): a writer found it wrong")
                }
            }
            guard let entries = Verification.entries(in: folder) else {
                CacheWriterProgram.fail("round \(round): a byte is wrong")
            }
            found += entries
        }
        // What was left unfinished is gone at the next start.
        _ = Verification.entries(in: folder)
        let left = leftovers()
        guard left == 0 else { CacheWriterProgram.fail("\(left) unfinished files are left") }
        print("killed \(count) times, read \(found) entries, all right")
    }

    private func leftovers() -> Int {
        guard let stream = opendir("\(folder)/entries-2/unfinished") else {
            CacheWriterProgram.fail("there is no folder for unfinished files")
        }
        defer { closedir(stream) }
        var count = -2
        while readdir(stream) != nil { count += 1 }
        return count
    }
}
