import Foundation
import HTTPBasics
import Testing

@Suite struct DeclaredLengthTests {
    @Test(
        arguments: [
            ("0", 0), ("007", 7), ("9223372036854775807", Int64.max), ("9223372036854775808", nil), ("-1", nil),
            ("+1", nil),
            ("", nil), ("0x5", nil), ("5 5", nil), ("999999999999999999999999999999", nil),
        ] as [(String, Int64?)])
    func `It is read from digits alone`(text: String, number: Int64?) {
        #expect(DeclaredLength(parsing: text)?.int64 == number)
    }

    @Test func `Digit by digit it grows until it does not fit`() {
        var length = DeclaredLength.zero
        let fits = (0..<16).map { _ in length.append(digit: 15, radix: 16) }
        #expect(fits == Array(repeating: true, count: 15) + [false])
        #expect(length.description == "1152921504606846975")
    }

    @Test(
        arguments: [
            (0, 0, 0), (3, 4, 7), (.max, 0, .max), (.max, 1, nil), (.max, .max, nil),
        ] as [(DeclaredLength, DeclaredLength, DeclaredLength?)])
    func `A sum that does not fit is none`(one: DeclaredLength, other: DeclaredLength, sum: DeclaredLength?) {
        #expect(one.adding(other) == sum)
        #expect(other.adding(one) == sum)
    }

    @Test(
        arguments: [(7, 4, 3), (4, 7, 0), (0, .max, 0), (.max, .max, 0), (.max, 0, .max)]
            as [(DeclaredLength, DeclaredLength, DeclaredLength)])
    func `Nothing is left of what is shorter`(whole: DeclaredLength, part: DeclaredLength, rest: DeclaredLength) {
        #expect(whole.dropping(part) == rest)
    }

    @Test func `A bound of our own makes it a number of our own`() {
        #expect(DeclaredLength.max.clamped(to: 10) == 10)
        #expect(DeclaredLength.max.clamped(to: -1) == 0)
        #expect((5 as DeclaredLength).clamped(to: 10) == 5)
        #expect((5 as DeclaredLength).bounded(by: 5) == 5)
        #expect((5 as DeclaredLength).bounded(by: 4) == nil)
        #expect(DeclaredLength(-1 as Int64) == nil)
        #expect(DeclaredLength(counted: -1) == .zero)
    }

    @Test func `An archive holds no negative one`() throws {
        let list = try PropertyListEncoder().encode([DeclaredLength.max])
        #expect(try PropertyListDecoder().decode([DeclaredLength].self, from: list) == [.max])
        let negative = try PropertyListEncoder().encode([-1])
        #expect(throws: DecodingError.self) { try PropertyListDecoder().decode([DeclaredLength].self, from: negative) }
    }
}
