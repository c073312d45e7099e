import HTTPBasics
import Testing

@Suite struct DecimalNumberTests {
    @Test(
        arguments: [
            ("0", 0), ("42", 42), ("007", 7), ("9223372036854775807", Int64.max), ("9223372036854775808", nil),
            ("99999999999999999999999", nil), ("", nil), ("-1", nil), ("+1", nil), (" 1", nil), ("1 ", nil),
            ("1a", nil),
            ("٣", nil), ("0x10", nil),
        ] as [(String, Int64?)])
    func `Only digits that fit are a number`(text: String, expected: Int64?) {
        #expect(DecimalNumber.parse(text) == expected)
    }
}
