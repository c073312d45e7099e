import HTTPBasics

/// What a Range request gets: RFC 9110 14.2 with the guard of 13.1.5. The judge's own reading of both fields.
enum RangeReply: Hashable {
    /// 200 and everything: no range, an invalid one, several, or a guard that failed.
    case whole
    /// 206 and these bytes.
    case part(Range<Int>)
    /// 416.
    case unsatisfiable

    /// `validators` are the reply's own fields.
    static func decide(_ request: ReceivedHead, validators: Fields, size: Int) -> RangeReply {
        // RFC 9110 14.2: Range means something for GET only.
        guard request.method == "GET" else { return .whole }
        let ranges = request.fields.values("Range")
        guard ranges.count == 1, guardHolds(request.fields.values("If-Range"), validators) else { return .whole }
        return parse(ranges[0], size: size)
    }

    private static func parse(_ value: String, size: Int) -> RangeReply {
        let halves = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, halves[0].equalsIgnoringCase("bytes") else { return .whole }
        let bounds = halves[1].trimmingWhitespace.split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, bounds.allSatisfy({ $0.utf8.allSatisfy(ASCII.isDigit) }) else { return .whole }
        switch (bounds[0].isEmpty, bounds[1].isEmpty) {
        case (true, true): return .whole
        case (true, false):
            let length = number(bounds[1])
            return length == 0 || size == 0 ? .unsatisfiable : .part(max(0, size - length)..<size)
        case (false, true):
            let first = number(bounds[0])
            return first >= size ? .unsatisfiable : .part(first..<size)
        case (false, false):
            let first = number(bounds[0])
            let last = number(bounds[1])
            if last < first { return .whole }
            return first >= size ? .unsatisfiable : .part(first..<(min(last, size - 1) + 1))
        }
    }

    /// What does not fit counts as larger than anything.
    private static func number(_ digits: Substring) -> Int { Int(digits) ?? .max }

    private static func guardHolds(_ values: [String], _ validators: Fields) -> Bool {
        guard let value = values.first else { return true }
        guard values.count == 1 else { return false }
        if value.hasPrefix("\"") {
            // Strong comparison: a weak tag on either side never holds (RFC 9110 8.8.3.2).
            return validators.first("ETag") == value
        }
        if value.hasPrefix("W/") { return false }
        return validators.first("Last-Modified") == value
    }
}
