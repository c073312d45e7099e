import HTTPBasics
import Testing

@testable import ClientMachines

@Suite struct ReuseDecisionTests {
    private typealias Kept = KeptResponse
    private static let tag = ("ETag", "\"v1\"")
    private let ask = ReuseDecision.validate(Fields([.init("If-None-Match", "\"v1\"")]))

    /// Columns: policies 0 to 3 (part 2 D.2 of the behaviour documents).
    @Test(
        "The matrix of lifetimes and policies",
        arguments: [
            ("public", [.load, .load, .use, .use]), ("private", [.load, .load, .use, .use]),
            ("max-age=3600", [.use, .load, .use, .use]), ("max-age=0", [.load, .load, .use, .use]),
            ("no-cache", [.load, .load, .use, .use]),
        ] as [(String, [ReuseDecision])])
    func matrix(control: String, wanted: [ReuseDecision]) {
        let kept = Kept(("Cache-Control", control))
        let policies: [CacheRule] = [.useProtocol, .reloadIgnoringLocal, .returnElseLoad, .returnDontLoad]
        #expect(policies.map { kept.decide(policy: $0, after: 1) } == wanted)
    }

    @Test func `without anything kept the server is asked, or nobody`() {
        func decide(_ policy: CacheRule, _ fields: Fields = Fields()) -> ReuseDecision {
            .decide(policy, method: "GET", fields: fields, stored: nil, at: Kept.came)
        }
        #expect(decide(.useProtocol) == .load && decide(.returnElseLoad) == .load)
        #expect(decide(.returnDontLoad) == .unavailable)
        #expect(decide(.useProtocol, Fields([.init("Cache-Control", "only-if-cached")])) == .unavailable)
    }

    @Test func `stale answers are asked about by what they have`() {
        #expect(Kept(("Cache-Control", "max-age=9"), Self.tag).decide(after: 9) == ask)
        let changed = ("Last-Modified", Kept.date(-50))
        let both = Fields([.init("If-None-Match", "\"v1\""), .init("If-Modified-Since", changed.1)])
        #expect(Kept(("Expires", "0"), Self.tag, changed).decide() == .validate(both))
        let date = Fields([.init("If-Modified-Since", changed.1)])
        #expect(Kept(("Expires", "0"), ("ETag", "v1"), changed).decide() == .validate(date))
        #expect(Kept(("Expires", "0"), ("ETag", "v1"), ("Last-Modified", "monday")).decide() == .load)
    }

    @Test func `no-cache asks each time, and about a field leaves only that out`() {
        #expect(Kept(("Cache-Control", "max-age=9, no-cache"), Self.tag).decide() == ask)
        let some = Kept(("Cache-Control", "max-age=9, no-cache=\"x-one\""), ("X-One", "1"), ("X-Two", "2"))
        #expect(some.decide() == .use)
        let told = ReuseDecision.fields(of: some.response, at: Kept.time(0))
        #expect(told.list.map(\.name) == ["Cache-Control", "X-Two", "Age"])
    }

    @Test func `an answer that nobody has confirmed says how old it is by now`() {
        let silent = Kept(("Cache-Control", "max-age=9"))
        #expect(ReuseDecision.fields(of: silent.response, at: Kept.time(4)).values("Age") == ["4"])
        let said = Kept(delay: 2, ("Cache-Control", "max-age=99"), ("Age", "30"), ("age", "7"))
        #expect(ReuseDecision.fields(of: said.response, at: Kept.time(4)).values("Age") == ["36"])
    }

    @Test(
        "The caller's own directives",
        arguments: [
            ("no-cache", 1, false), ("max-age=5", 5, true), ("max-age=5", 6, false), ("max-age=x", 1, false),
            ("min-fresh=5", 5, true), ("min-fresh=5", 6, false), ("max-stale", 1000, true), ("max-stale=5", 15, true),
            ("max-stale=5", 16, false), ("max-stale=x", 11, false), ("max-age=3, max-stale=100", 4, false),
            ("only-if-cached", 1, true), ("no-store", 1, true),
        ])
    func directives(control: String, age: Int64, isUsed: Bool) {
        let kept = Kept(("Cache-Control", "max-age=10"))
        #expect((kept.decide(("Cache-Control", control), after: age) == .use) == isUsed)
    }

    @Test func `max-stale gives way to must-revalidate, only-if-cached to nothing`() {
        let kept = Kept(("Cache-Control", "max-age=10, must-revalidate"), Self.tag)
        #expect(kept.decide(("Cache-Control", "max-stale"), after: 11) == ask)
        #expect(kept.decide(("Cache-Control", "only-if-cached"), after: 11) == .unavailable)
        #expect(kept.decide(("Cache-Control", "only-if-cached"), policy: .reloadIgnoringLocal) == .unavailable)
        #expect(kept.decide(("Pragma", "no-cache")) == ask)
    }

    @Test func `a caller with conditions or parts has a cache of its own`() {
        let kept = Kept(("Cache-Control", "max-age=10"))
        for field in ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range"] {
            #expect(kept.decide((field, "x")) == .bypass)
            #expect(kept.decide((field, "x"), policy: .returnDontLoad) == .unavailable)
        }
        #expect(kept.decide(method: "POST") == .bypass && kept.decide(method: "HEAD") == .use)
    }

    @Test func `revalidation asks about what is fresh, unless it never changes`() {
        #expect(Kept(("Cache-Control", "max-age=10"), Self.tag).decide(policy: .reloadRevalidating) == ask)
        var settled = Kept(("Cache-Control", "max-age=10, immutable"), Self.tag)
        #expect(settled.decide(policy: .reloadRevalidating) == ask)
        settled.response.isProtected = true
        #expect(settled.decide(policy: .reloadRevalidating) == .use)
        #expect(settled.decide(policy: .reloadRevalidating, after: 10) == ask)
        #expect(settled.decide(("Cache-Control", "no-cache"), policy: .reloadRevalidating) == ask)
        #expect(settled.decide(policy: .reloadIgnoringLocalAndRemote) == .load)
    }

    @Test func `a stale answer stands in for an error as long as somebody says so`() {
        func stands(
            _ control: String, _ asked: String = "", after seconds: Int64, policy: CacheRule = .useProtocol
        ) -> Bool {
            let fields = Fields(asked.isEmpty ? [] : [.init("Cache-Control", asked)])
            let kept = Kept(("Cache-Control", control)).response
            return ReuseDecision.mayStandIn(kept, for: fields, policy, at: Kept.time(seconds))
        }
        #expect(stands("max-age=1, stale-if-error=9", after: 10) && !stands("max-age=1, stale-if-error=9", after: 11))
        #expect(stands("max-age=1", "stale-if-error=9", after: 10) && !stands("max-age=1", after: 2))
        #expect(!stands("max-age=1, stale-if-error=9", "stale-if-error=0", after: 5))
        for control in ["must-revalidate", "no-cache"] {
            #expect(!stands("max-age=1, stale-if-error=9, \(control)", after: 2))
        }
        #expect(!stands("max-age=1, stale-if-error=x", after: 2))
        #expect(!stands("max-age=1, stale-if-error=9", "no-cache", after: 2))
        #expect(!stands("max-age=1, stale-if-error=9", after: 2, policy: .reloadIgnoringLocal))
    }
}
