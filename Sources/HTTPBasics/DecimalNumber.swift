/// `1*DIGIT` as header fields use it: no sign, no blanks, no overflow. What becomes of the number is up to the types
/// that read it: `DeclaredLength`, durations, dates, ports.
package enum DecimalNumber {
    package static func parse(_ digits: some Sequence<UInt8>) -> Int64? {
        var value: Int64 = 0
        var count = 0
        for digit in digits {
            guard ASCII.isDigit(digit) else { return nil }
            let (scaled, scaleOverflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, sumOverflow) = scaled.addingReportingOverflow(Int64(digit &- 48))
            guard !scaleOverflow, !sumOverflow else { return nil }
            value = sum
            count += 1
        }
        return count > 0 ? value : nil
    }

    package static func parse(_ text: some StringProtocol) -> Int64? { parse(text.utf8) }

    /// A port that something can listen on.
    package static func port(_ text: some StringProtocol) -> Int? {
        parse(text).flatMap { 1...65535 ~= $0 ? Int($0) : nil }
    }
}
