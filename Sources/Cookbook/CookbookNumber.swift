import HTTPBasics
import ServerScript

/// Numbers of a URL, each with the bounds that it has there.
enum CookbookNumber {
    static func whole(_ text: String, _ name: String, _ range: ClosedRange<Int>) throws(CookbookMistake) -> Int {
        try value(Quantities.integer(text), text, name, range)
    }

    /// In bytes: `4096`, `4KiB`.
    static func size(_ text: String, _ name: String, _ range: ClosedRange<Int>) throws(CookbookMistake) -> Int {
        try value(Quantities.size(text, allowsBare: true), text, name, range)
    }

    private static func value(
        _ parsed: Quantities.Parsed<Int>, _ text: String, _ name: String, _ range: ClosedRange<Int>
    ) throws(CookbookMistake) -> Int {
        switch parsed {
        case .wrong(let reason): throw CookbookMistake("\(name): '\(excerpt(text))' \(reason)")
        case .value(let value) where range.contains(value): return value
        case .value(let value):
            throw CookbookMistake("\(name): \(value) is not from \(range.lowerBound) to \(range.upperBound)")
        }
    }

    /// `3`, `0.5`, `300ms`: a number without a unit is one of seconds.
    static func span(_ text: String, _ name: String) throws(CookbookMistake) -> Duration {
        let most = CookbookLimits.seconds
        var span: Duration?
        if case .value(let value) = Quantities.duration(text) { span = value }
        if let thousandths = decimal(text, places: 3) { span = .milliseconds(thousandths) }
        guard let span else {
            throw CookbookMistake("\(name): '\(excerpt(text))' is neither seconds, such as 2 or 0.5, nor such as 300ms")
        }
        guard span <= .seconds(most) else { throw CookbookMistake("\(name): more than \(most) seconds") }
        return span
    }

    /// `0.5` in units of the last place; nil for what is no such number, or beyond a thousand million.
    static func decimal(_ text: String, places: Int) -> Int? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? Array(parts[1]) : []
        guard parts[0].count <= 9, parts.count == 1 || !fraction.isEmpty, let whole = DecimalNumber.parse(parts[0])
        else { return nil }
        let zeros = Array(repeating: UInt8(ascii: "0"), count: max(0, places - fraction.count))
        guard fraction.allSatisfy(ASCII.isDigit), let rest = DecimalNumber.parse([48] + fraction.prefix(places) + zeros)
        else { return nil }
        let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
        return Int(whole) * scale + Int(rest)
    }

    /// So much of it as a message may repeat.
    static func excerpt(_ text: String) -> String { text.utf8.count > 60 ? String(text.prefix(60)) + "…" : text }
}
