import HTTPBasics

/// Searching heads eight bytes at a time.
enum ByteScan {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Index of the first byte below 14 in `from..<to`: NUL, line feed and carriage return are among these.
    @inline(__always)
    static func firstControl(in bytes: UnsafeRawBufferPointer, from: Int, to: Int) -> Int? {
        var index = from
        while index &+ 8 <= to {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            // A byte below 14 borrows into its high bit. A borrow can mark higher bytes wrongly, never lower ones.
            let marks = (word &- ones &* 14) & ~word & highBits
            if marks != 0 { return index &+ marks.trailingZeroBitCount >> 3 }
            index &+= 8
        }
        while index < to {
            if bytes[index] < 14 { return index }
            index &+= 1
        }
        return nil
    }

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool { byte == ASCII.space || byte == ASCII.tab }

    /// `range` without the blanks at its ends; a bare CR counts as one (RFC 9112 2.2).
    static func trimmed(_ range: Range<Int>, in bytes: UnsafeRawBufferPointer) -> Range<Int> {
        var lower = range.lowerBound
        var upper = range.upperBound
        while lower < upper, isBlank(bytes[lower]) || bytes[lower] == ASCII.carriageReturn { lower &+= 1 }
        while lower < upper, isBlank(bytes[upper &- 1]) || bytes[upper &- 1] == ASCII.carriageReturn { upper &-= 1 }
        return lower..<upper
    }

    /// Calls `body` for each non-empty member of a comma-separated list (RFC 9110 5.6.1).
    static func forEachMember(
        of range: Range<Int>, in bytes: UnsafeRawBufferPointer, _ body: (Range<Int>) -> Void
    ) {
        var start = range.lowerBound
        while start < range.upperBound {
            var end = start
            while end < range.upperBound, bytes[end] != ASCII.comma { end &+= 1 }
            let member = trimmed(start..<end, in: bytes)
            if !member.isEmpty { body(member) }
            start = end &+ 1
        }
    }

    /// `name` is in lower case.
    static func equals(_ range: Range<Int>, _ name: StaticString, in bytes: UnsafeRawBufferPointer) -> Bool {
        guard range.count == name.utf8CodeUnitCount else { return false }
        for (offset, index) in range.enumerated() {
            let byte = bytes[index]
            let lowered = byte &- 65 < 26 ? byte | 0x20 : byte
            if lowered != name.utf8Start[offset] { return false }
        }
        return true
    }
}
