import ServerScript

/// The bytes that a script's `Content` stands for.
struct ContentBytes {
    let count: Int
    private let generate: (Range<Int>) -> [UInt8]

    init(_ content: Content) {
        switch content {
        case .bytes(let bytes):
            count = bytes.count
            generate = { Array(bytes[$0]) }
        case .fill(let byte, let size):
            count = size
            generate = { Array(repeating: byte, count: $0.count) }
        default:
            count = 0
            generate = { _ in [] }
        }
    }

    func bytes(_ range: Range<Int>) -> [UInt8] { generate(range.clamped(to: 0..<count)) }

    func checksum(first limit: Int) -> UInt64 {
        var sum = Checksum.start
        for byte in bytes(0..<min(limit, count)) { sum = Checksum.adding(byte, to: sum) }
        return sum
    }

    /// Where `seen` stops being the beginning of these bytes.
    func firstDifference(from seen: [UInt8]) -> Int? {
        let step = 64 * 1024
        var start = 0
        while start < seen.count {
            let wanted = bytes(start..<min(seen.count, start + step))
            for (index, byte) in wanted.enumerated() where seen[start + index] != byte { return start + index }
            if wanted.count < min(step, seen.count - start) { return nil }
            start += step
        }
        return nil
    }

    /// Readable where it is text, hexadecimal where it is not.
    static func printable(_ bytes: ArraySlice<UInt8>) -> String {
        if bytes.allSatisfy({ $0 >= 32 && $0 < 127 }) { return "'\(String(decoding: bytes, as: UTF8.self))'" }
        return bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined(separator: " ")
    }
}

/// FNV-1a over 64 bits, as `RecordedBody` carries it.
enum Checksum {
    static let start: UInt64 = 0xcbf2_9ce4_8422_2325

    static func adding(_ byte: UInt8, to sum: UInt64) -> UInt64 { (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
}
