/// The first line of a response (RFC 9112 4).
struct StatusLine {
    var minorVersion: UInt8
    var status: Int
    var reason: Range<Int>

    /// What the bytes so far rule out, before the line is complete: a peer that speaks something else (BEHAVIOUR 2.I2,
    /// 2.I40, 2.I42) may never send a line end.
    static func refusal(ofPrefix bytes: UnsafeRawBufferPointer) -> WireFailure? {
        let prefix: StaticString = "HTTP/1."
        for index in 0..<min(bytes.count, 7) where bytes[index] != prefix.utf8Start[index] {
            return index < 5 ? .notHTTP : .unsupportedVersion
        }
        guard bytes.count > 7 else { return nil }
        return bytes[7] &- 48 < 10 ? nil : .unsupportedVersion
    }

    /// `line` is without its line end and has passed `refusal(ofPrefix:)`. Any three digits from 100 are a status
    /// (BEHAVIOUR 2.I13, 2.I14), the reason may be absent (BEHAVIOUR 2.I12).
    init?(_ line: Range<Int>, in bytes: UnsafeRawBufferPointer) {
        var index = line.lowerBound + 8
        guard index < line.upperBound, ByteScan.isBlank(bytes[index]) else { return nil }
        while index < line.upperBound, ByteScan.isBlank(bytes[index]) { index += 1 }
        guard index + 3 <= line.upperBound else { return nil }
        var status = 0
        for digit in bytes[index..<index + 3] {
            guard digit &- 48 < 10 else { return nil }
            status = status * 10 + Int(digit &- 48)
        }
        index += 3
        guard status >= 100, index == line.upperBound || ByteScan.isBlank(bytes[index]) else { return nil }
        self.minorVersion = bytes[line.lowerBound + 7] &- 48
        self.status = status
        self.reason = ByteScan.trimmed(index..<line.upperBound, in: bytes)
    }
}
