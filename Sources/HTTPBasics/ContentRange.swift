/// A Content-Range field of bytes (RFC 9110 14.4).
package enum ContentRange: Hashable, Sendable, CustomStringConvertible {
    /// `bytes 0-499/1000`; `total` is nil for an asterisk.
    case part(first: DeclaredLength, last: DeclaredLength, total: DeclaredLength?)
    /// `bytes */1000`, in a 416.
    case unsatisfied(total: DeclaredLength)

    /// Far more than three numbers need; what is as long as a head may be would take milliseconds.
    private static let longest = 128

    /// Nil for every other unit, for numbers beyond 64 bits and for ranges that contradict themselves.
    package init?(parsing value: some StringProtocol) {
        guard value.utf8.count <= Self.longest else { return nil }
        let words = value.trimmingWhitespace.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].equalsIgnoringCase("bytes") else { return nil }
        let halves = words[1].trimmingWhitespace.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let total = DeclaredLength(parsing: halves[1])
        if halves[0] == "*" {
            guard let total else { return nil }
            self = .unsatisfied(total: total)
            return
        }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = DeclaredLength(parsing: ends[0]),
            let last = DeclaredLength(parsing: ends[1]),
            first <= last, last < .max, total != nil || halves[1] == "*", total.map({ last < $0 }) ?? true
        else { return nil }
        self = .part(first: first, last: last, total: total)
    }

    /// A part that is everything.
    package var isWhole: Bool {
        guard case .part(first: 0, _, let total?) = self else { return false }
        return total == length
    }

    /// How many bytes the part has.
    package var length: DeclaredLength? {
        guard case .part(let first, _, _) = self else { return nil }
        return end?.dropping(first)
    }

    /// Where what follows the part would begin.
    package var end: DeclaredLength? {
        guard case .part(_, let last, _) = self else { return nil }
        return last.adding(1)
    }

    /// The field value.
    package var description: String {
        switch self {
        case .part(let first, let last, let total): return "bytes \(first)-\(last)/" + (total.map { "\($0)" } ?? "*")
        case .unsatisfied(let total): return "bytes */\(total)"
        }
    }
}
