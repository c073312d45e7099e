import HTTPBasics

/// The date of an Expires attribute, by the tolerant algorithm of RFC 6265bis 5.1.1: what looks like a time, a day, a
/// month and a year, in any order, whatever stands between them.
package enum CookieDate {
    package static func parse(_ text: some StringProtocol) -> UnixTime? {
        var found = Parts()
        for token in text.utf8.split(whereSeparator: isDelimiter) { found.take(token) }
        return found.time
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    private struct Parts {
        private var secondOfDay: Int64?
        private var day: Int64?
        private var month: Int64?
        private var year: Int64?

        /// Each of the four takes the first token that looks like it, in this order.
        mutating func take(_ token: some Collection<UInt8>) {
            if secondOfDay == nil, let clock = Self.clock(token) {
                secondOfDay = clock
            } else if day == nil, let (number, _) = Self.number(token, digits: 1...2) {
                day = number
            } else if month == nil, let number = Self.month(token) {
                month = number
            } else if year == nil, let (number, _) = Self.number(token, digits: 2...4) {
                year = number
            }
        }

        var time: UnixTime? {
            guard var year, let month, let day, let secondOfDay else { return nil }
            if 70...99 ~= year { year += 1900 }
            if 0...69 ~= year { year += 2000 }
            guard year >= 1601, secondOfDay >= 0, let date = CivilDate(year: year, month: month, day: day) else {
                return nil
            }
            return UnixTime(seconds: date.daysSinceEpoch * 86_400 + secondOfDay)
        }

        /// So many digits, and then no further one.
        private static func number<Bytes: Collection<UInt8>>(
            _ token: Bytes, digits: ClosedRange<Int>
        ) -> (Int64, Bytes.SubSequence)? {
            let head = token.prefix(while: ASCII.isDigit)
            guard digits ~= head.count, let number = DecimalNumber.parse(head) else { return nil }
            return (number, token.dropFirst(head.count))
        }

        /// -1 for a time that no day has: it is one all the same, and no other is looked for.
        private static func clock(_ token: some Collection<UInt8>) -> Int64? {
            var fields: [Int64] = []
            var rest = token.dropFirst(0)
            for part in 0..<3 {
                if part > 0 {
                    guard rest.first == ASCII.colon else { return nil }
                    rest = rest.dropFirst()
                }
                let head = rest.prefix(while: ASCII.isDigit)
                guard 1...2 ~= head.count, let number = DecimalNumber.parse(head) else { return nil }
                fields.append(number)
                rest = rest.dropFirst(head.count)
            }
            guard fields[0] <= 23, fields[1] <= 59, fields[2] <= 59 else { return -1 }
            return fields[0] * 3600 + fields[1] * 60 + fields[2]
        }

        private static func month(_ token: some Collection<UInt8>) -> Int64? {
            let names = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
            let start = token.prefix(3).map(ASCII.lowercased)
            return names.firstIndex { start.elementsEqual($0.utf8) }.map { Int64($0 + 1) }
        }
    }
}
