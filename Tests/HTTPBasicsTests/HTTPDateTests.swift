import HTTPBasics
import Testing

@Suite struct HTTPDateTests {
    /// 2026-01-01T00:00:00Z
    static let now = UnixTime(seconds: 1_767_225_600)

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("  sun, 06 nov 1994 08:49:37 gmt\t", 784_111_777),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
        ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
        ("Mon, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Tue Jan 20 00:00:00 2026", 1_768_867_200),
        ("Friday, 31-Dec-76 23:59:59 GMT", 3_376_684_799),
        ("Friday, 31-Dec-77 23:59:59 GMT", 252_460_799),
    ])
    func `All three forms are understood`(text: String, seconds: Int64) {
        #expect(HTTPDate.parse(text, now: Self.now) == UnixTime(seconds: seconds))
    }

    @Test(arguments: [
        "", "Sun", "Sun,", "now", "784111777", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 06 Nov 1994 08:49:37 GMT+1", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
        "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 1900 08:49:37 GMT",
        "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
        "Sunday, 06 Nov 1994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "Sun Nov  6 08:49:37 1994 GMT",
        "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 19940 08:49:37 GMT", "Sun, -6 Nov 1994 08:49:37 GMT",
    ])
    func `Anything else is no date`(text: String) {
        #expect(HTTPDate.parse(text, now: Self.now) == nil)
    }

    @Test(arguments: [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"),
        (Int64.min, "Sat, 01 Jan 0000 00:00:00 GMT"), (Int64.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ])
    func `Times are printed as IMF-fixdate`(seconds: Int64, text: String) {
        #expect(HTTPDate.text(UnixTime(seconds: seconds)) == text)
    }

    @Test func `Every day around 1900 and 2000, and days of all centuries, come back as they went`() {
        let days =
            Array(-26_000 ..< -25_000) + Array(10_500..<11_500)
            + Array(stride(from: -719_528, through: 2_932_896, by: 397))
        for day in days {
            let time = UnixTime(seconds: Int64(day) * 86_400 + 43_201)
            let text = HTTPDate.text(time)
            if HTTPDate.parse(text, now: Self.now) != time { Issue.record("\(text) for day \(day)") }
        }
    }

    @Test func `No cut of a date traps`() {
        for text in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            for end in text.indices { #expect(HTTPDate.parse(text[..<end], now: Self.now) == nil) }
        }
    }

    @Test(arguments: [Int64.min, -1, 0, Int64.max])
    func `Any clock is good enough for a two-digit year`(seconds: Int64) {
        _ = HTTPDate.parse("Sunday, 06-Nov-94 08:49:37 GMT", now: UnixTime(seconds: seconds))
    }
}
