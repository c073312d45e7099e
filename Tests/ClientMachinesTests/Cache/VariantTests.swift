import HTTPBasics
import Testing

@testable import ClientMachines

@Suite struct VariantTests {
    private func fields(_ list: (String, String)...) -> Fields { Fields(list.map { Fields.Field($0, $1) }) }

    @Test func `a response without Vary answers every request`() throws {
        let variant = try #require(Variant(of: fields(), to: fields(("A", "1"))))
        #expect(variant.matches(fields(("A", "2"))))
    }

    @Test func `the fields that Vary names have to be the same, whatever their letters and blanks`() throws {
        let vary = fields(("Vary", "Accept-Language, x-one"), ("vary", "X-Two"))
        let variant = try #require(Variant(of: vary, to: fields(("accept-language", "de, en"), ("X-One", ""))))
        #expect(variant.matches(fields(("Accept-Language", "de ,en"), ("x-one", ""), ("Other", "1"))))
        #expect(variant.matches(fields(("Accept-Language", "de"), ("Accept-Language", "en"), ("x-one", " "))))
        #expect(!variant.matches(fields(("Accept-Language", "en, de"), ("X-One", ""))))
        #expect(!variant.matches(fields(("Accept-Language", "de, en"))))
        #expect(!variant.matches(fields(("Accept-Language", "de, en"), ("X-One", ""), ("X-Two", "1"))))
        #expect(!variant.matches(fields(("Accept-Language", "DE, en"), ("X-One", ""))))
    }

    @Test("A star, what is no name, and far too many names match nothing", arguments: ["*", "a, *", "a b", "a;b", "ä"])
    func unknowable(vary: String) {
        #expect(Variant(of: fields(("Vary", vary)), to: fields()) == nil)
    }

    @Test func `64 names are enough`() {
        let names = (0..<64).map { "x\($0)" }.joined(separator: ",")
        #expect(Variant(of: fields(("Vary", names)), to: fields())?.values.count == 64)
        #expect(Variant(of: fields(("Vary", names + ",y")), to: fields()) == nil)
    }
}
