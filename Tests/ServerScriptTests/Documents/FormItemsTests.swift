import Testing

@testable import ServerScript

@Suite struct FormItemsTests {
    @Test("Items are decoded by the rules of forms")
    func decoding() {
        let items = FormItems("a=1&b=two+words&a=%C3%A9&c&=x&d=%zz&e=1%2B1&&f=a=b")
        #expect(items.values("a") == ["1", "é"])
        #expect(items.values("b") == ["two words"])
        #expect(items.values("c") == [""])
        #expect(items.values("") == ["x"])
        #expect(items.values("d") == ["%zz"])
        #expect(items.values("e") == ["1+1"])
        #expect(items.values("f") == ["a=b"])
        #expect(items.values("g") == [])
    }

    @Test("The query of a target, and a bound")
    func queries() {
        #expect(FormItems(queryOf: "/a?x=1?2").values("x") == ["1?2"])
        #expect(FormItems(queryOf: "/a").list.isEmpty)
        #expect(FormItems(String(repeating: "a&", count: 1500)).list.count == FormItems.limit)
    }
}
