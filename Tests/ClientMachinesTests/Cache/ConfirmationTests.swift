import HTTPBasics
import Testing

@testable import ClientMachines

@Suite struct ConfirmationTests {
    private typealias Kept = KeptResponse

    private func update(_ kept: KeptResponse, _ fields: (String, String)...) -> StoredResponse? {
        let fields = Fields(fields.map { Fields.Field($0, $1) })
        return Confirmation.update(
            kept.response, by: fields, to: Fields([.init("X-Key", "k")]), asked: Kept.time(5), received: Kept.time(6))
    }

    @Test func `its fields take the place of the kept ones, and its time theirs`() throws {
        let kept = Kept(("ETag", "\"a\""), ("X-Old", "1"), ("X-List", "1"), ("x-list", "2"), ("Date", Kept.date(0)))
        let updated = try #require(
            update(kept, ("X-List", "3"), ("X-List", "4"), ("Date", Kept.date(6)), ("X-New", "5")))
        let texts = updated.fields.list.map { "\($0.name)=\($0.value)" }
        #expect(
            texts == [
                "ETag=\"a\"", "X-Old=1", "X-List=3", "X-List=4", "Date=\(Kept.date(6))", "X-New=5",
            ])
        #expect(updated.asked == Kept.time(5) && updated.received == Kept.time(6) && updated.status == 200)
    }

    @Test func `what is about the body or the connection stays as it was`() throws {
        let kept = Kept(("Content-Length", "9"), ("Content-Encoding", "gzip"), ("X-Hop", "1"))
        let updated = try #require(
            update(
                kept, ("Content-Length", "0"), ("content-encoding", "br"), ("Connection", "x-hop"), ("X-Hop", "2"),
                ("Keep-Alive", "timeout=1"), ("Content-Range", "bytes 0-1/2")))
        #expect(updated.fields == kept.response.fields)
    }

    @Test func `a field whose name has other letters than US-ASCII's does not come twice`() throws {
        let kept = Kept(("\u{4BC}", "1"))
        let updated = try #require(update(kept, ("\u{4BC}", "1")))
        #expect(updated.fields.list.count == 1)
    }

    @Test func `another Vary makes it another variant, or none`() throws {
        let updated = try #require(update(Kept(), ("Vary", "X-Key")))
        #expect(updated.variant.matches(Fields([.init("X-Key", "k")])) && !updated.variant.matches(Fields()))
        #expect(update(Kept(), ("Vary", "*")) == nil)
    }

    @Test func `the age of the answer before it is over`() throws {
        let kept = Kept(("Age", "3000"), ("Date", Kept.date(-3000)), ("Cache-Control", "max-age=3600"))
        let updated = try #require(update(kept))
        #expect(Freshness(of: updated, at: Kept.time(6)).age == .seconds(1))
    }

    @Test(
        "One that speaks of another representation confirms nothing",
        arguments: [
            ("\"a\"", "\"a\"", true), ("\"a\"", "\"b\"", false), ("W/\"a\"", "\"a\"", false),
            ("W/\"a\"", "W/\"a\"", true), ("\"a\"", "W/\"a\"", true), (nil, "\"a\"", false), ("\"a\"", nil, true),
        ] as [(String?, String?, Bool)])
    func tags(own: String?, said: String?, isConfirmed: Bool) {
        let kept = own.map { Kept(("ETag", $0)) } ?? Kept()
        let fields = Fields(said.map { [.init("ETag", $0)] } ?? [])
        let updated = Confirmation.update(
            kept.response, by: fields, to: Fields(), asked: Kept.came, received: Kept.came)
        #expect((updated != nil) == isConfirmed)
    }

    @Test func `another date is another representation where no tag says otherwise`() {
        let kept = Kept(("Last-Modified", Kept.date(-9)), ("ETag", "\"a\""))
        #expect(update(kept, ("Last-Modified", Kept.date(-9))) != nil)
        #expect(update(kept, ("Last-Modified", Kept.date(-8))) == nil)
        #expect(update(kept, ("Last-Modified", Kept.date(-8)), ("ETag", "\"a\"")) != nil)
    }
}
