import NIOCore
import ServerScript

/// The bytes that a script's `Content` stands for, generated piece by piece.
package struct ContentBytes {
    package let count: Int
    private let content: Content

    package init(_ content: Content) {
        // Compressing once is enough.
        self.content = content.plain() ?? .empty
        count = self.content.count
    }

    package func bytes(_ range: Range<Int>) -> [UInt8] {
        let range = range.clamped(to: 0..<count)
        return Array(content.bytes(at: range.lowerBound, count: range.count).readableBytesView)
    }

    func checksum(first limit: Int) -> UInt64 { content.checksum(ofFirst: limit) }

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
