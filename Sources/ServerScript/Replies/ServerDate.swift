import HTTPBasics

/// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 5.6.7): the judge's own formatter.
enum ServerDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    static func format(_ time: UnixTime) -> String {
        // Years 1970 to 9999 have this form; anything else is held at the edge.
        let seconds = min(max(time.seconds, 0), 253_402_300_799)
        let day = Int(seconds / 86_400)
        let clock = Int(seconds % 86_400)
        let date = civil(daysSinceEpoch: day)
        let hours = "\(two(clock / 3600)):\(two(clock / 60 % 60)):\(two(clock % 60))"
        return "\(days[day % 7]), \(two(date.day)) \(months[date.month - 1]) \(date.year) \(hours) GMT"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Counts 400-year eras that begin in March, so that the leap day is the last of its year.
    private static func civil(daysSinceEpoch: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = daysSinceEpoch + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
