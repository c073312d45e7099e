import HTTPBasics
import Testing

@testable import ClientMachines

@Suite struct FreshnessTests {
    private typealias Kept = KeptResponse

    @Test func `the age is what the server says, what the way took, and what has passed since`() {
        #expect(Kept().freshness(after: 7).age == .seconds(7))
        #expect(Kept(delay: 3, ("Age", "10")).freshness(after: 7).age == .seconds(20))
        #expect(Kept(("Date", Kept.date(-30))).freshness(after: 7).age == .seconds(37))
        #expect(Kept(delay: 3, ("Age", "10"), ("Date", Kept.date(-30))).freshness(after: 7).age == .seconds(37))
        // A server's clock that is ahead makes nothing younger.
        #expect(Kept(("Date", Kept.date(30))).freshness(after: 7).age == .seconds(7))
    }

    @Test(
        "Of an Age field the first number counts, and only a number",
        arguments: [("5", 5), ("5, 9", 5), ("x", 0), ("-5", 0), ("1.5", 0), ("", 0), ("99999999999999999999", 1 << 31)])
    func age(text: String, seconds: Int64) {
        #expect(Kept(("Age", text)).freshness().age == .seconds(seconds))
    }

    @Test func `a clock that was set back leaves nothing fresh`() {
        #expect(Kept(("Cache-Control", "max-age=60")).freshness(after: 0).isFresh)
        #expect(!Kept(("Cache-Control", "max-age=60")).freshness(after: -1).isFresh)
        #expect(!Kept(("Cache-Control", "max-age=99999999999")).freshness(after: -1).isFresh)
    }

    @Test func `fresh is what is younger than its lifetime`() {
        let kept = Kept(("Cache-Control", "max-age=60"), ("Expires", Kept.date(-10)))
        #expect(kept.freshness(after: 59).isFresh && !kept.freshness(after: 60).isFresh)
        #expect(
            kept.freshness(after: 59).staleness == .seconds(0) && kept.freshness(after: 75).staleness == .seconds(15))
    }

    @Test func `Expires counts from Date, and one that cannot be read is in the past`() {
        #expect(Kept(("Date", Kept.date(-100)), ("Expires", Kept.date(20))).freshness().lifetime == .seconds(120))
        #expect(Kept(("Expires", Kept.date(20))).freshness().lifetime == .seconds(20))
        #expect(Kept(("Expires", Kept.date(-20))).freshness().lifetime == .seconds(0))
        for text in ["0", "-1", "tomorrow", "", "Sat, 32 Jan 2030 00:00:00 GMT"] {
            #expect(Kept(("Expires", text), ("Last-Modified", Kept.date(-10_000))).freshness().lifetime == .seconds(0))
        }
    }

    @Test func `without either a tenth of the time since the last change will do`() {
        #expect(Kept(("Last-Modified", Kept.date(-1000))).freshness().lifetime == .seconds(100))
        #expect(
            Kept(("Last-Modified", Kept.date(-1000)), ("Date", Kept.date(-500))).freshness().lifetime == .seconds(50))
        #expect(Kept(("Last-Modified", Kept.date(10))).freshness().lifetime == .seconds(0))
        #expect(Kept(("Last-Modified", "long ago")).freshness().lifetime == .seconds(0))
        #expect(Kept(status: 201, ("Last-Modified", Kept.date(-1000))).freshness().lifetime == .seconds(0))
        let isPublic = Kept(status: 201, ("Last-Modified", Kept.date(-1000)), ("Cache-Control", "public"))
        #expect(isPublic.freshness().lifetime == .seconds(100))
        let unreadable = Kept(("Last-Modified", Kept.date(-1000)), ("Cache-Control", "max-age=soon"))
        #expect(unreadable.freshness().lifetime == .seconds(0))
    }

    @Test func `the ends of time are reached without a trap`() {
        let kept = Kept(("Date", "Mon, 01 Jan 0001 00:00:00 GMT"), ("Expires", "Fri, 31 Dec 9999 23:59:59 GMT"))
        #expect(!kept.freshness().isFresh && kept.freshness().age == .seconds(1 << 31))
        let upsideDown = StoredResponse(
            status: 200, fields: kept.response.fields, asked: UnixTime(seconds: .max),
            received: UnixTime(seconds: .min))
        #expect(!Freshness(of: upsideDown, at: UnixTime(seconds: .max)).isFresh)
    }
}
