/// The three date forms of RFC 9110 5.6.7, with calendar arithmetic of our own (proleptic Gregorian, UTC).
package enum HTTPDate {
    /// Day names are accepted even if they are wrong, seconds up to 60 (a leap second counts as the next minute).
    ///
    /// `now` places the two-digit year of the RFC 850 form: at most 50 years ahead.
    package static func parse(_ text: some StringProtocol, now: UnixTime) -> UnixTime? {
        var scanner = DateScanner(text)
        guard let dayName = scanner.letters() else { return nil }
        let date: UnixTime?
        if scanner.skip(",") {
            guard scanner.skip(" "), let day = scanner.number(digits: 2) else { return nil }
            date =
                scanner.skip("-")
                ? scanner.rfc850(day: day, dayName: dayName, now: now)
                : scanner.fixdate(day: day, dayName: dayName)
        } else {
            date = scanner.asctime(dayName: dayName)
        }
        return scanner.isAtEnd ? date : nil
    }

    /// IMF-fixdate, the only form that may be sent. Times outside the years 0 to 9999 become the nearest inside.
    package static func text(_ time: UnixTime) -> String {
        let seconds = min(max(time.seconds, CivilDate.firstDay * 86_400), CivilDate.lastDay * 86_400 + 86_399)
        let secondOfDay = (seconds % 86_400 + 86_400) % 86_400
        let days = (seconds - secondOfDay) / 86_400
        let date = CivilDate(daysSinceEpoch: days)
        // 1970-01-01 was a Thursday.
        let weekday = dayNames[Int(((days + 4) % 7 + 7) % 7)]
        var text = Array(weekday.utf8)
        text.reserveCapacity(29)
        append(date.day, behind: ", ", to: &text)
        text.append(ASCII.space)
        text += monthNames[Int(date.month - 1)].utf8
        append(date.year / 100, behind: " ", to: &text)
        append(date.year % 100, behind: "", to: &text)
        append(secondOfDay / 3600, behind: " ", to: &text)
        append(secondOfDay / 60 % 60, behind: ":", to: &text)
        append(secondOfDay % 60, behind: ":", to: &text)
        text += " GMT".utf8
        return String(decoding: text, as: UTF8.self)
    }

    /// Two digits.
    private static func append(_ number: Int64, behind separator: String, to text: inout [UInt8]) {
        text += separator.utf8
        text.append(48 + UInt8(number / 10))
        text.append(48 + UInt8(number % 10))
    }

    static let dayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    static let longDayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    static let monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

/// Reads the parts of a date from left to right.
private struct DateScanner {
    private var rest: Substring.UTF8View

    init(_ text: some StringProtocol) { rest = Substring(text).trimmingWhitespace.utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    /// `06 Nov 1994 08:49:37 GMT`, from behind the day.
    mutating func fixdate(day: Int64, dayName: String) -> UnixTime? {
        guard HTTPDate.dayNames.contains(where: dayName.equalsIgnoringCase), skip(" "), let month = month(), skip(" "),
            let year = number(digits: 4), skip(" "), let clock = clock(), skip(" "), skipGMT()
        else { return nil }
        return time(year: year, month: month, day: day, clock: clock)
    }

    /// `06-Nov-94 08:49:37 GMT`, from behind the first hyphen.
    mutating func rfc850(day: Int64, dayName: String, now: UnixTime) -> UnixTime? {
        guard HTTPDate.longDayNames.contains(where: dayName.equalsIgnoringCase), let month = month(), skip("-"),
            let shortYear = number(digits: 2), skip(" "), let clock = clock(), skip(" "), skipGMT()
        else { return nil }
        // RFC 9110 5.6.7: this century, unless that is more than 50 years ahead.
        let currentYear = CivilDate(daysSinceEpoch: now.seconds / 86_400).year
        var year = currentYear - currentYear % 100 + shortYear
        if year > currentYear + 50 { year -= 100 }
        return time(year: year, month: month, day: day, clock: clock)
    }

    /// `Nov  6 08:49:37 1994`, from behind the day name.
    mutating func asctime(dayName: String) -> UnixTime? {
        guard HTTPDate.dayNames.contains(where: dayName.equalsIgnoringCase), skip(" "), let month = month(), skip(" "),
            let day = skip(" ") ? number(digits: 1) : number(digits: 2), skip(" "), let clock = clock(), skip(" "),
            let year = number(digits: 4)
        else { return nil }
        return time(year: year, month: month, day: day, clock: clock)
    }

    mutating func letters() -> String? {
        let word = rest.prefix(while: ASCII.isLetter)
        guard !word.isEmpty else { return nil }
        rest = rest[word.endIndex...]
        return String(Substring(word))
    }

    mutating func number(digits: Int) -> Int64? {
        let text = rest.prefix(digits)
        guard text.count == digits, let number = DecimalNumber.parse(text) else { return nil }
        rest = rest[text.endIndex...]
        return number
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func skipGMT() -> Bool { letters()?.equalsIgnoringCase("GMT") ?? false }

    private mutating func month() -> Int64? {
        guard let name = letters() else { return nil }
        return HTTPDate.monthNames.firstIndex(where: name.equalsIgnoringCase).map { Int64($0 + 1) }
    }

    /// Seconds since midnight.
    private mutating func clock() -> Int64? {
        guard let hour = number(digits: 2), skip(":"), let minute = number(digits: 2), skip(":"),
            let second = number(digits: 2), hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private func time(year: Int64, month: Int64, day: Int64, clock: Int64) -> UnixTime? {
        guard let date = CivilDate(year: year, month: month, day: day) else { return nil }
        return UnixTime(seconds: date.daysSinceEpoch * 86_400 + clock)
    }
}
