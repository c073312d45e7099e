import CacheFiles
import Glibc

/// Two processes that store into one folder, killed at random moments.
struct Kills {
    let folder: String

    func run(_ count: Int) {
        var random = SystemRandomNumberGenerator()
        var found = 0
        for round in stride(from: 0, to: count, by: 2) {
            let writers = (0..<2).compactMap { _ in start(["store", folder, "\(random.next() >> 2)"]) }
            guard writers.count == 2 else { CacheWriterProgram.fail("cannot start a process") }
            for writer in writers {
                _ = poll(nil, 0, Int32.random(in: 0...40, using: &random))
                kill(writer, SIGKILL)
                guard ended(writer) == SIGKILL else {
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

    private func start(_ words: [String]) -> pid_t? {
        var pid: pid_t = 0
        var arguments = ([CommandLine.arguments[0]] + words).map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        return posix_spawn(&pid, "/proc/self/exe", nil, nil, &arguments, environ) == 0 ? pid : nil
    }

    /// The signal that has ended it; 0 if it was none.
    private func ended(_ pid: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status & 0x7f
    }

    private func leftovers() -> Int {
        guard let stream = opendir("\(folder)/entries-1/unfinished") else { return 0 }
        defer { closedir(stream) }
        var count = -2
        while readdir(stream) != nil { count += 1 }
        return count
    }
}
