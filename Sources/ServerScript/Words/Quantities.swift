import HTTPBasics

/// Numbers with and without units, as scenario files write them.
package enum Quantities {
    package enum Parsed<Value> {
        case value(Value)
        /// What is wrong, to follow `'text' `.
        case wrong(String)

        package func map<Other>(_ change: (Value) -> Other) -> Parsed<Other> {
            switch self {
            case .value(let value): .value(change(value))
            case .wrong(let reason): .wrong(reason)
            }
        }
    }

    /// Beyond this, sums of sizes could overflow; no script needs a body of a pebibyte.
    package static let largestSize = 1 << 50

    package static func integer(_ text: String) -> Parsed<Int> {
        let digits = text.utf8
        guard !digits.isEmpty, digits.allSatisfy({ $0 >= 48 && $0 <= 57 }) else {
            return .wrong("is not a whole number")
        }
        if digits.count > 1, digits.first == 48 {
            return .wrong("looks octal: write the number without leading zeros")
        }
        guard let value = Int(text) else { return .wrong("is too large") }
        return .value(value)
    }

    /// `900ms`, `1s`, `2m`, `1h`, `7d`.
    package static func duration(_ text: String) -> Parsed<Duration> {
        let (number, unit) = split(text)
        guard
            let milliseconds = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)]
                .first(where: { $0.0 == unit })?.1
        else {
            if unit.isEmpty, !number.isEmpty { return .wrong("needs a unit: \(number)ms or \(number)s") }
            if !number.isEmpty, unit.first == ".", "smh".contains(unit.last ?? " ") {
                return .wrong("has a fraction: write whole numbers of a smaller unit, such as 600ms for 0.6s")
            }
            return .wrong("is not a duration such as 900ms, 1s, 2m, 1h or 7d")
        }
        switch integer(number) {
        case .wrong(let reason): return .wrong(reason)
        case .value(let value):
            let (total, overflow) = value.multipliedReportingOverflow(by: milliseconds)
            // 36500 days: far beyond any timer, and far below what nanoseconds in 64 bits hold.
            guard !overflow, total <= 36_500 * 86_400_000 else { return .wrong("is longer than 36500d") }
            return .value(.milliseconds(total))
        }
    }

    /// `1MiB`, `64KiB`, `300KB`, `12B`; a bare number is a count of bytes where `allowsBare`.
    package static func size(_ text: String, allowsBare: Bool) -> Parsed<Int> {
        let (number, unit) = split(text)
        if unit.isEmpty, !allowsBare, !number.isEmpty { return .wrong("needs a unit: \(number)B or \(number)KiB") }
        let units = [
            ("", 1), ("B", 1), ("KB", 1000), ("KiB", 1 << 10), ("MB", 1_000_000), ("MiB", 1 << 20),
            ("GB", 1_000_000_000), ("GiB", 1 << 30),
        ]
        guard !number.isEmpty, let factor = units.first(where: { $0.0 == unit })?.1 else {
            let isUnknown = !number.isEmpty && unit.utf8.allSatisfy(ASCII.isLetter)
            return .wrong(
                isUnknown
                    ? "has a unit that is none: write B, KB, KiB, MB, MiB, GB or GiB"
                    : "is not a size such as 12B, 300KB, 64KiB or 1MiB")
        }
        switch integer(number) {
        case .wrong(let reason): return .wrong(reason)
        case .value(let value):
            let (total, overflow) = value.multipliedReportingOverflow(by: factor)
            return overflow || total > largestSize ? .wrong("is too large") : .value(total)
        }
    }

    /// `10KiB/s`: bytes in a second, at least one.
    package static func rate(_ text: String) -> Parsed<Int> {
        let wrong = Parsed<Int>.wrong("is not a rate such as 10B/s, 64KiB/s or 1MiB/s")
        guard text.hasSuffix("/s"), case .value(let bytes) = size(String(text.dropLast(2)), allowsBare: false) else {
            return wrong
        }
        return bytes > 0 ? .value(bytes) : .wrong("moves nothing: write 'stall' for silence")
    }

    /// `25%`: whole, from 0 to 100.
    package static func percent(_ text: String) -> Parsed<Int> {
        guard text.hasSuffix("%"), case .value(let value) = integer(String(text.dropLast())), value <= 100 else {
            return .wrong("is not a percentage such as 25%, from 0% to 100%")
        }
        return .value(value)
    }

    /// Digits and what follows them.
    private static func split(_ text: String) -> (number: String, unit: String) {
        let digits = text.utf8.prefix { $0 >= 48 && $0 <= 57 }
        return (String(digits) ?? "", String(text.utf8.dropFirst(digits.count)) ?? "")
    }
}
