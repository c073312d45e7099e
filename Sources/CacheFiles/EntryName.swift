import Digests
import Glibc
import HTTPBasics

/// 128 bits of a key's SHA-256: two keys do not share them.
struct KeyHash: Hashable, Sendable {
    var high: UInt64
    var low: UInt64

    /// Nil where the system refuses to carry the function out.
    init?(_ key: String) {
        guard let running = RunningHash(.sha256) else { return nil }
        self.init(key, with: running)
    }

    /// With a hash that has no bytes yet, and has none again after that.
    init?(_ key: String, with running: RunningHash) {
        var key = key
        key.withUTF8 { running.update(UnsafeRawBufferPointer($0)) }
        let words: (high: UInt64, low: UInt64)?? = running.finish { bytes in
            guard bytes.count >= 16 else { return nil }
            return (
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        guard let words = words ?? nil, running.restart() else { return nil }
        (high, low) = words
    }

    init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// Which of the 256 folders has its entries.
    var bucket: Int { Int(high >> 56) }
}

/// Hashes keys one after another; the last is known, since a request is asked about more than once.
struct KeyHasher {
    private var running = RunningHash(.sha256)
    private var last: (key: String, hash: KeyHash)?

    /// Nil where the system refuses to carry the function out.
    mutating func hash(of key: String) -> KeyHash? {
        if let last, last.key == key { return last.hash }
        last = running.flatMap { KeyHash(key, with: $0) }.map { (key, $0) }
        // One that has failed may hold a part of what it was given.
        if last == nil { running = RunningHash(.sha256) }
        return last?.hash
    }
}

/// The name of one entry's file: whose it is, when it was stored, and a part that no other file has.
struct EntryName: Hashable, Sendable {
    var hash: KeyHash
    var stored: UnixTime
    /// Of two entries that were stored in the same second, the later one has the greater tag.
    var tag: UInt64

    static let length = 32 + 1 + 16 + 1 + 16

    init(hash: KeyHash, stored: UnixTime, tag: UInt64) { (self.hash, self.stored, self.tag) = (hash, stored, tag) }

    /// A new one. The machine's clock decides nothing but the order within a second.
    init(hash: KeyHash, stored: UnixTime) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let order = UInt64(truncatingIfNeeded: now.tv_sec &* 1_000_000_000 &+ now.tv_nsec)
        self.init(hash: hash, stored: stored, tag: order & ~0xffff | UInt64.random(in: 0...0xffff))
    }

    /// Nil for a name that is not written exactly so: such a file is another's.
    init?(_ text: UnsafeRawBufferPointer) {
        let dash = UInt8(ascii: "-")
        guard text.count == Self.length, text[32] == dash, text[49] == dash,
            let high = Self.number(text, at: 0), let low = Self.number(text, at: 16),
            let stored = Self.number(text, at: 33), let tag = Self.number(text, at: 50)
        else { return nil }
        self.init(
            hash: KeyHash(high: high, low: low), stored: UnixTime(seconds: Int64(bitPattern: stored)), tag: tag)
    }

    var text: String {
        let numbers = [hash.high, hash.low, UInt64(bitPattern: stored.seconds), tag].map(Self.digits)
        return "\(numbers[0])\(numbers[1])-\(numbers[2])-\(numbers[3])"
    }

    /// As seen from the folder that has the buckets.
    var path: String { "\(Self.folder(hash.bucket))/\(text)" }

    /// The name of a bucket.
    static func folder(_ bucket: Int) -> String { String(digits(UInt64(truncatingIfNeeded: bucket)).suffix(2)) }

    private static func digits(_ number: UInt64) -> String {
        String(unsafeUninitializedCapacity: 16) { space in
            for place in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: number >> UInt64(60 - 4 * place)) & 15
                space[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            }
            return 16
        }
    }

    private static func number(_ text: UnsafeRawBufferPointer, at start: Int) -> UInt64? {
        var number: UInt64 = 0
        for byte in text[start..<start + 16] {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return number
    }
}
