import CacheFiles
import Glibc
import HTTPBasics
import NIOCore

/// What large caches cost.
enum Figures {
    /// Of the start with so many entries on disk.
    static func index(_ folder: String, count: Int) {
        let filling = CacheFolder(path: folder, capacity: .max, readsIndexBehind: false)
        for number in filling.count..<max(filling.count, count) { store(number, in: filling) }
        let began = seconds(CLOCK_MONOTONIC)
        let cache = CacheFolder(path: folder, capacity: .max)
        let first = cache.entries(for: Expected.key(0)).count
        let answered = seconds(CLOCK_MONOTONIC)
        cache.waitUntilReady()
        let ready = seconds(CLOCK_MONOTONIC)
        print(
            "\(cache.count) entries: \(first) found after \(milliseconds(answered - began)) ms, "
                + "the index ready after \(milliseconds(ready - began)) ms")
        guard cache.count == count, first == 1, ready - began < 1 else { exit(1) }
    }

    /// Of storing far more than there is room for.
    static func flat(_ folder: String, count: Int) {
        let cache = CacheFolder(path: folder, capacity: 50 << 20, readsIndexBehind: false)
        let began = seconds(CLOCK_PROCESS_CPUTIME_ID)
        var warm = 0
        for number in 0..<count {
            store(number, in: cache)
            if number == count / 2 { warm = residentPages() }
        }
        let spent = (seconds(CLOCK_PROCESS_CPUTIME_ID) - began) / Double(max(1, count))
        let grown = (residentPages() - warm) * 4
        print(
            "\(count) entries stored, \(cache.count) kept, \(cache.usage >> 20) MB on disk, "
                + "\(Int(spent * 1e6)) us of CPU each, memory grew by \(grown) KiB in the second half")
        guard cache.usage <= 50 << 20, grown < 2048 else { exit(1) }
    }

    private static func store(_ number: Int, in cache: CacheFolder) {
        let key = Expected.key(number), length = 500 + number % 3000
        let head = Expected.head(seed: UInt64(number), length: length, freshened: 0)
        let writer = cache.beginEntry(key: key, head: head, at: UnixTime(seconds: 1_800_000_000 + Int64(number)))
        writer?.append(ByteBuffer(repeating: UInt8(truncatingIfNeeded: number), count: length))
        guard writer?.finish() != nil else { CacheWriterProgram.fail("cannot store") }
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func milliseconds(_ seconds: Double) -> Double { (seconds * 10_000).rounded() / 10 }

    private static func residentPages() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 200)
        guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
        let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            .split(separator: " ")
        return words.count > 1 ? Int(words[1]) ?? 0 : 0
    }
}
