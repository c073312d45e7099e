import HTTPBasics
import NIOCore

/// Dates: the input as text, and its first eight bytes as a time.
enum DateFuzz {
    /// Years 0 to 9999, in which HTTP dates lie.
    private static let earliest: Int64 = -719_528 * 86_400
    private static let latest: Int64 = 2_932_897 * 86_400 - 1

    static func check(_ bytes: ByteBuffer) throws {
        let text = String(buffer: bytes)
        for now in [784_111_777, 0, .min, .max, earliest, latest] as [Int64] {
            guard let time = HTTPDate.parse(text, now: UnixTime(seconds: now)) else { continue }
            // A leap second may lie one beyond.
            try demand(
                earliest...latest + 1 ~= time.seconds, "\(time.seconds) is no time of a calendar with four digits")
            try checkText(of: time.seconds)
        }
        guard let number = bytes.getInteger(at: bytes.readerIndex, as: Int64.self) else { return }
        try checkText(of: number)
        // Such a number is almost never a year that one could write.
        try checkText(of: earliest + Int64(number.magnitude % UInt64(latest - earliest)))
    }

    private static func checkText(of seconds: Int64) throws {
        let nearest = min(max(seconds, earliest), latest)
        let text = HTTPDate.text(UnixTime(seconds: seconds))
        try demand(text.utf8.count, equals: 29, "not an IMF-fixdate: \(text)")
        try demand(HTTPDate.parse(text, now: UnixTime(seconds: 0))?.seconds, equals: nearest, "\(text) is another time")
        let parts = text.dropFirst(5).split(separator: " ")
        try demand(
            String(parts[0...2].joined(separator: " ")), equals: Calendar.text(nearest), "\(text) is another day")
        // The obsolete forms of the same time.
        let weekday = text.prefix(3), day = parts[0].first == "0" ? " \(parts[0].last ?? " ")" : String(parts[0])
        let asctime = "\(weekday) \(parts[1]) \(day) \(parts[3]) \(parts[2])"
        try demand(
            HTTPDate.parse(asctime, now: UnixTime(seconds: 0))?.seconds, equals: nearest, "\(asctime) is another time")
        let short = "Monday, \(parts[0])-\(parts[1])-\(parts[2].suffix(2)) \(parts[3]) GMT"
        try demand(
            HTTPDate.parse(short, now: UnixTime(seconds: nearest))?.seconds, equals: nearest, "\(short) is another time"
        )
    }
}

/// Days by another algorithm than the library's: whole months of a year that begins in March.
private enum Calendar {
    private static let months = ["Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Jan", "Feb"]

    static func text(_ seconds: Int64) -> String {
        // 0000-03-01 is 60 days after the first day of all; eras of 400 years keep the numbers positive.
        let days = (seconds + 719_528 * 86_400) / 86_400 - 60 + 146_097
        let era = days / 146_097, dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let year = yearOfEra + (era - 1) * 400 + (month >= 10 ? 1 : 0)
        return "\(padded(day, 2)) \(months[Int(month)]) \(padded(year, 4))"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
    }
}
