import Testing

@testable import HTTPBasics

@Suite struct CacheControlTests {
    @Test(
        "Seconds are digits, bare or quoted; anything else is no number, but it is there",
        arguments: [
            ("max-age=60", .count(.seconds(60))), ("MAX-AGE=60", .count(.seconds(60))),
            ("max-age=\"60\"", .count(.seconds(60))),
            ("max-age=007", .count(.seconds(7))), ("max-age=99999999999999999999", .count(.seconds(1 << 31))),
            ("max-age=2147483649", .count(.seconds(1 << 31))), ("max-age", .unreadable), ("max-age=", .unreadable),
            ("max-age=-1", .unreadable), ("max-age=1.5", .unreadable), ("max-age='60'", .unreadable),
            ("max-age = 60", .unreadable), ("max-age=60 70", .unreadable),
            ("max-age=60, max-age=0", .count(.seconds(60))),
            ("max-age=x, max-age=60", .unreadable), (" ,, x=\"a, max-age=1\" ,max-age=60", .count(.seconds(60))),
            ("s-maxage=60", nil), ("", nil), ("xmax-age=60", nil),
        ] as [(String, CacheControl.Seconds?)])
    func seconds(text: String, found: CacheControl.Seconds?) {
        #expect(CacheControl(parsing: text).maxAge == found)
    }

    @Test func `what forbids counts wherever it stands`() {
        let control = CacheControl(parsing: "public, x, no-store;, =, must-revalidate=1, \"no-cache\", Immutable")
        #expect(control.isPublic && control.noStore && control.mustRevalidate && control.immutable)
        #expect(!control.noCache && !control.onlyIfCached && !control.mustUnderstand)
    }

    @Test(
        "no-cache is about the fields that it names, and about all where it names none well",
        arguments: [
            ("no-cache", true, []), ("no-cache=\"Set-Cookie\"", false, ["Set-Cookie"]),
            ("no-cache=\"a, b\"", false, ["a", "b"]), ("no-cache=a", false, ["a"]), ("no-cache=\"\"", true, []),
            ("no-cache=\"a b\"", true, []), ("no-cache=\"a\" x", true, []),
            ("no-cache=\"a, no-store", true, ["a", "no-store"]),
            ("no-cache=\"a\", no-cache", true, ["a"]),
        ])
    func noCache(text: String, isWhole: Bool, names: [String]) {
        let control = CacheControl(parsing: text)
        #expect(control.noCache == isWhole && control.noCacheFields == names)
    }

    @Test func `further names than 64 are all fields`() {
        let names = (0..<64).map { "x\($0)" }
        #expect(CacheControl(parsing: "no-cache=\"\(names.joined(separator: ","))\"").noCacheFields == names)
        let more = CacheControl(parsing: "no-cache=\"\(names.joined(separator: ",")),x64\"")
        #expect(more.noCache && more.noCacheFields.isEmpty)
    }

    @Test func `a request takes stale answers of any age unless it says of which`() {
        #expect(CacheControl(parsing: "max-stale").maxStale == .count(.seconds(1 << 31)))
        #expect(CacheControl(parsing: "max-stale=5").maxStale == .count(.seconds(5)))
        #expect(CacheControl(parsing: "max-stale=x").maxStale == .unreadable)
        #expect(CacheControl(parsing: "max-stale x").maxStale == .unreadable)
    }

    @Test func `Pragma is heard where Cache-Control is silent`() {
        #expect(CacheControl(ofRequest: Fields([.init("Pragma", "x, no-cache, no-store")])).noCache)
        #expect(!CacheControl(ofRequest: Fields([.init("Pragma", "no-cache, no-store")])).noStore)
        let both = Fields([.init("Pragma", "no-cache"), .init("Cache-Control", "max-age=1")])
        #expect(!CacheControl(ofRequest: both).noCache)
        #expect(!CacheControl(ofResponse: Fields([.init("Pragma", "no-cache")])).noCache)
    }

    @Test func `lines are one list`() {
        let fields = Fields([.init("Cache-Control", "max-age=1"), .init("cache-control", "no-store")])
        let control = CacheControl(ofResponse: fields)
        #expect(control.maxAge == .count(.seconds(1)) && control.noStore)
    }
}
