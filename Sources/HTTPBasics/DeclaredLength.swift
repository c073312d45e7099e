/// A length in bytes from outside: a server's Content-Length, a caller's, a number in resume data.
///
/// It may be any number from 0 to 2^63 - 1, true or not. So it can be compared and bounded, and there is
/// no `+`, `-` or `*`, which would end the process where the result does not fit. A tidy rule says where such numbers
/// come from, and where the plain number may be read.
@usableFromInline
package struct DeclaredLength: Hashable, Comparable, Sendable {
    @usableFromInline var number: Int64

    @inlinable init(unchecked number: Int64) { self.number = number }

    /// Nil for a negative number.
    package init?(_ number: Int64) {
        guard number >= 0 else { return nil }
        self.number = number
    }

    /// What we have counted ourselves, to be compared with what was told.
    @inlinable package init(counted count: Int) { number = Int64(Swift.max(0, count)) }

    /// `1*DIGIT` as header fields use it: no sign, no blanks, no overflow.
    package init?(parsing digits: some StringProtocol) {
        guard let number = DecimalNumber.parse(digits) else { return nil }
        self.number = number
    }

    @inlinable package static var zero: DeclaredLength { DeclaredLength(unchecked: 0) }
    @inlinable package static var max: DeclaredLength { DeclaredLength(unchecked: .max) }

    @inlinable
    package static func < (left: DeclaredLength, right: DeclaredLength) -> Bool { left.number < right.number }

    /// Nil where the sum does not fit.
    package func adding(_ other: DeclaredLength) -> DeclaredLength? {
        let (sum, overflow) = number.addingReportingOverflow(other.number)
        return overflow ? nil : DeclaredLength(unchecked: sum)
    }

    /// What is left behind so many bytes; nothing where it is not so long.
    @inlinable package func dropping(_ other: DeclaredLength) -> DeclaredLength {
        other < self ? DeclaredLength(unchecked: number - other.number) : .zero
    }

    /// The lesser of it and a bound of our own.
    @inlinable package func clamped(to bound: Int) -> Int { Int(Swift.min(number, Int64(Swift.max(0, bound)))) }

    /// The plain number, for interfaces that want one.
    @inlinable package var int64: Int64 { number }

    /// The number, if it is within a bound of our own: then it is as good as one that we have counted.
    package func bounded(by bound: Int64) -> Int64? { number <= bound ? number : nil }

    /// Puts a digit behind those that it has; false where that does not fit.
    @inlinable package mutating func append(digit: UInt8, radix: Int64) -> Bool {
        let (scaled, overflow) = number.multipliedReportingOverflow(by: radix)
        let (sum, carry) = scaled.addingReportingOverflow(Int64(digit))
        guard !overflow, !carry else { return false }
        number = sum
        return true
    }
}

extension DeclaredLength: CustomStringConvertible {
    @usableFromInline package var description: String { String(number) }
}

extension DeclaredLength: ExpressibleByIntegerLiteral {
    /// Beyond 2^63 - 1 it is that.
    @inlinable package init(integerLiteral value: UInt64) { number = Int64(clamping: value) }
}

extension DeclaredLength: Codable {
    /// Fails for a negative number.
    @usableFromInline package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let length = DeclaredLength(try container.decode(Int64.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "A length is never negative.")
        }
        self = length
    }

    @usableFromInline package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}
