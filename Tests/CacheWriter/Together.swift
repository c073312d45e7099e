import Glibc

/// Two processes that store into one folder at the same time, for long; a third reads all that is there once a second.
struct Together {
    let folder: String

    func run(seconds: Int) {
        let writers = Writer.two(in: folder)
        var found = 0
        for second in 0..<seconds {
            guard let entries = Verification.entries(in: folder) else {
                for writer in writers { _ = writer.kill() }
                CacheWriterProgram.fail("second \(second): a byte is wrong")
            }
            found += entries
            guard writers.allSatisfy(\.isRunning) else { CacheWriterProgram.fail("a writer found it wrong") }
            _ = poll(nil, 0, 1000)
        }
        let used = writers.map(\.used)
        guard writers.map({ $0.kill() }) == [true, true] else { CacheWriterProgram.fail("a writer found it wrong") }
        guard let entries = Verification.entries(in: folder) else { CacheWriterProgram.fail("a byte is wrong") }
        guard found + entries > 0 else { CacheWriterProgram.fail("nothing was stored") }
        let time = "\(seconds) s (\(used[0]) and \(used[1]) s of processor)"
        print("two stored for \(time), read \(found + entries) entries, all right")
    }
}
