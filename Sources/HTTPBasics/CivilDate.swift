/// A day of the proleptic Gregorian calendar, in the years 0 to 9999 that HTTP dates can hold.
package struct CivilDate: Equatable {
    var year: Int64
    var month: Int64
    var day: Int64

    /// Nil for a day that does not exist.
    package init?(year: Int64, month: Int64, day: Int64) {
        guard 0...9999 ~= year, 1...12 ~= month, 1...Self.length(ofMonth: month, in: year) ~= day else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The nearest day within the years 0 to 9999.
    init(daysSinceEpoch: Int64) {
        let days = min(max(daysSinceEpoch, Self.firstDay), Self.lastDay) - Self.firstDay
        // The mean year is a good guess: at most one year wrong, because leap days are spread unevenly.
        year = days * 400 / 146_097
        if Self.days(before: year) > days { year -= 1 }
        if Self.days(before: year + 1) <= days { year += 1 }
        day = days - Self.days(before: year) + 1
        month = 1
        while day > Self.length(ofMonth: month, in: year) {
            day -= Self.length(ofMonth: month, in: year)
            month += 1
        }
    }

    package var daysSinceEpoch: Int64 {
        let earlierMonths = (1..<month).reduce(0) { $0 + Self.length(ofMonth: $1, in: year) }
        return Self.firstDay + Self.days(before: year) + earlierMonths + day - 1
    }

    /// 0000-01-01 and 9999-12-31, in days from 1970-01-01.
    static let firstDay: Int64 = -719_528
    static let lastDay: Int64 = 2_932_896

    /// Days from 0000-01-01 to the first day of `year`; year 0 is a leap year.
    private static func days(before year: Int64) -> Int64 {
        year * 365 + (year + 3) / 4 - (year + 99) / 100 + (year + 399) / 400
    }

    private static func length(ofMonth month: Int64, in year: Int64) -> Int64 {
        switch month {
        case 2: return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: return 30
        default: return 31
        }
    }
}
