import Testing

@testable import ServerScript

@Suite struct NumberEdgeTests {
    @Test(
        "A number becomes its edge",
        arguments: [
            (NumberEdge.zero, "0"), (.mostInt32, "2147483647"), (.overInt32, "2147483648"),
            (.mostUInt32, "4294967295"), (.overUInt32, "4294967296"), (.overDouble, "9007199254740992"),
            (.mostInt64, "9223372036854775807"), (.overInt64, "9223372036854775808"),
            (.overUInt64, "18446744073709551616"), (.oneLess, "41"), (.oneMore, "43"), (.negative, "-42"),
            (.signed, "+42"), (.hex, "0x42"), (.spaced, " 42 42"), (.empty, ""),
        ])
    func text(edge: NumberEdge, text: String) { #expect(edge.text(of: "42") == text) }

    @Test("The sizes of chunks have the same edges")
    func hexadecimal() {
        #expect(NumberEdge.mostInt64.text(of: "1f", radix: 16) == "7fffffffffffffff")
        #expect(NumberEdge.overUInt64.text(of: "1f", radix: 16) == "10000000000000000")
        #expect(NumberEdge.oneMore.text(of: "1f", radix: 16) == "20")
    }

    @Test("What has no neighbour stays", arguments: [("0", "0", "1"), ("99999999999999999999", nil, nil)])
    func neighbours(number: String, less: String?, more: String?) {
        #expect(NumberEdge.oneLess.text(of: number) == less ?? number)
        #expect(NumberEdge.oneMore.text(of: number) == more ?? number)
    }

    @Test("Thirty digits are thirty")
    func digits() { #expect(NumberEdge.thirtyDigits.text(of: "1").utf8.count == 30) }
}
