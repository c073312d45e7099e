import CacheFiles
import Glibc
import HTTPBasics
import NIOCore

/// Stores entries until it is killed, and looks what is there afterwards.
///
///     cache-writer store FOLDER SEED [ENDLESS]     stores, freshens, uses and removes
///     cache-writer verify FOLDER                   reads all: prints how many entries there are; 1 if a byte is wrong
///     cache-writer kills FOLDER COUNT              starts two that store, kills them, verifies, and again
///     cache-writer together FOLDER SECONDS         lets two store for so long, and verifies meanwhile
///     cache-writer index FOLDER COUNT              how long an index of so many entries takes
///     cache-writer flat FOLDER COUNT               what storing so many into 50 MB costs in memory
@main enum CacheWriterProgram {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count > 1 else { fail("cache-writer store|verify|kills|together|index|flat FOLDER …") }
        let number = words.count > 2 ? Int(words[2]) ?? 1 : 1
        switch words[0] {
        case "store": Store(folder: words[1], seed: UInt64(truncatingIfNeeded: number)).run()
        case "verify":
            guard let found = Verification.entries(in: words[1]) else { exit(1) }
            print(found)
        case "kills": Kills(folder: words[1]).run(number)
        case "together": Together(folder: words[1]).run(seconds: number)
        case "index": Figures.index(words[1], count: number)
        case "flat": Figures.flat(words[1], count: number)
        default: fail("no such word: \(words[0])")
        }
    }

    static func fail(_ text: String) -> Never {
        print("cache-writer: \(text)")
        exit(2)
    }
}

/// What belongs into an entry is told by its key and its head.
enum Expected {
    static let keys = 48

    static func key(_ number: Int) -> String { "GET http://a.test/\(number)" }

    static func body(key: String, seed: UInt64, length: Int) -> [UInt8] {
        var state = key.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return (0..<length).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    /// A head, which a later one keeps the first two words of.
    static func head(seed: UInt64, length: Int, freshened: Int) -> [UInt8] {
        let pad = String(repeating: "p", count: Int(seed % 300))
        return Array("\(seed) \(length) \(freshened) \(pad)".utf8)
    }

    /// Nil if the head is not one of ours.
    static func read(_ head: [UInt8]) -> (seed: UInt64, length: Int, freshened: Int)? {
        let words = String(decoding: head, as: UTF8.self).split(separator: " ")
        guard words.count >= 3, let seed = UInt64(words[0]), let length = Int(words[1]), let count = Int(words[2])
        else {
            return nil
        }
        guard head == Self.head(seed: seed, length: length, freshened: count) else { return nil }
        return (seed, length, count)
    }
}

struct Store {
    let folder: String
    var random: Generator

    init(folder: String, seed: UInt64) { (self.folder, random) = (folder, Generator(state: seed)) }

    /// Never ends by itself.
    func run() {
        var random = random
        let cache = CacheFolder(path: folder, capacity: 4 << 20)
        var now: Int64 = 1_800_000_000
        while true {
            now += 1
            let key = Expected.key(Int.random(in: 0..<Expected.keys, using: &random))
            let time = UnixTime(seconds: now)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: cache.remove(key: key)
            case 1, 2:
                guard let entry = cache.entries(for: key).first, let known = Expected.read(entry.head) else { continue }
                let head = Expected.head(seed: known.seed, length: known.length, freshened: known.freshened + 1)
                _ = cache.replaceHead(of: entry, with: head, at: time)
            case 3:
                guard let entry = cache.entries(for: key).first else { continue }
                guard Verification.isRight(entry, key: key, in: cache) else {
                    print("wrong while storing")
                    exit(1)
                }
            case 4 where random.next() % 50 == 0: cache.remove(since: UnixTime(seconds: now - 20))
            default: store(key, in: cache, at: time, &random)
            }
        }
    }

    private func store(_ key: String, in cache: CacheFolder, at now: UnixTime, _ random: inout Generator) {
        let length =
            Int.random(in: 0..<3, using: &random) == 0 ? Int(random.next() % 300_000) : Int(random.next() % 2_000)
        let seed = random.next()
        let head = Expected.head(seed: seed, length: length, freshened: 0)
        let old = random.next() % 2 == 0 ? cache.entries(for: key) : []
        guard let writer = cache.beginEntry(key: key, head: head, at: now) else { return }
        var body = ByteBuffer(bytes: Expected.body(key: key, seed: seed, length: length))
        while let piece = body.readSlice(length: min(body.readableBytes, 10_000)), piece.readableBytes > 0 {
            writer.append(piece)
        }
        _ = writer.finish(replacing: old)
    }
}

enum Verification {
    /// Nil if a byte is wrong.
    static func entries(in folder: String) -> Int? {
        let cache = CacheFolder(path: folder, capacity: .max, readsIndexBehind: false)
        var found = 0
        for number in 0..<Expected.keys {
            let key = Expected.key(number)
            for entry in cache.entries(for: key) {
                guard isRight(entry, key: key, in: cache) else {
                    print("wrong: \(entry.id)")
                    return nil
                }
                found += 1
            }
        }
        return found
    }

    static func isRight(_ entry: CacheEntry, key: String, in cache: CacheFolder) -> Bool {
        guard let known = Expected.read(entry.head), Int64(known.length) == entry.bodyLength else { return false }
        let reader = cache.openBody(of: entry, at: entry.storedAt)
        var body: [UInt8] = []
        do {
            while let piece = try reader.read(upTo: 50_000) { body += piece.readableBytesView }
        } catch {
            // A kill cannot damage what has its name; only the power can.
            return false
        }
        return body == Expected.body(key: key, seed: known.seed, length: known.length)
    }
}

struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
