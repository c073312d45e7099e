import HTTPBasics
import Testing

@Suite struct ContentRangeTests {
    @Test(arguments: [
        ("bytes 0-499/1000", ContentRange.part(first: 0, last: 499, total: 1000)),
        ("bytes 999-999/1000", .part(first: 999, last: 999, total: 1000)),
        ("bytes 5-9/*", .part(first: 5, last: 9, total: nil)),
        ("bytes */1000", .unsatisfied(total: 1000)), ("bytes */0", .unsatisfied(total: 0)),
        (" Bytes  5-9/10 ", .part(first: 5, last: 9, total: 10)),
    ])
    func `Content-Range is read`(text: String, expected: ContentRange) {
        #expect(ContentRange(parsing: text) == expected)
    }

    @Test(arguments: [
        "", "bytes", "bytes ", "bytes 0-499", "bytes 0-499/", "bytes */*", "bytes 0-/10", "bytes -5/10", "bytes 5/10",
        "bytes 9-5/10", "bytes 0-10/10", "bytes 0-0/0", "bytes=0-4/10", "items 0-4/10", "bytes 0-4/10/20",
        "bytes 0-4//10", "bytes 0-4/10/",
        "bytes /10", "bytes 0--4/10", "bytes -0-4/10",
        "bytes 0-4-5/10", "bytes +0-4/10", "bytes a-b/c", "bytes 0-9223372036854775808/*",
        "bytes 0-9223372036854775807/*", "bytes 0-4/99999999999999999999", "bytes 0 - 4/10", "0-4/10",
        "bytes 0-4/" + String(repeating: "0", count: 128) + "10",
    ])
    func `What is malformed, too large or contradictory is refused`(text: String) {
        #expect(ContentRange(parsing: text) == nil)
    }

    @Test(arguments: ["bytes 0-499/1000", "bytes 5-9/*", "bytes */1000"])
    func `Content-Range is printed as it was read`(text: String) {
        #expect(ContentRange(parsing: text)?.description == text)
    }

    @Test(arguments: [
        ("bytes 0-9/10", true), ("bytes 0-0/1", true), ("bytes 0-9223372036854775805/9223372036854775806", true),
        ("bytes 0-8/10", false), ("bytes 1-9/10", false), ("bytes 0-9/*", false), ("bytes */10", false),
    ])
    func `A part is the whole from 0 to the end of a known length`(text: String, isWhole: Bool) {
        #expect(ContentRange(parsing: text)?.isWhole == isWhole)
    }
}
