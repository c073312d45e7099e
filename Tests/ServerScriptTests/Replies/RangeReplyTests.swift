import HTTPBasics
import Testing

@testable import ServerScript

@Suite struct RangeReplyTests {
    static let validators = Fields([.init("ETag", "\"v1\""), .init("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")])

    private func decide(
        _ range: String?, ifRange: String? = nil, size: Int = 100, method: String = "GET",
        validators: Fields = validators
    ) -> RangeReply {
        var fields = Fields()
        if let range { fields.append("Range", range) }
        if let ifRange { fields.append("If-Range", ifRange) }
        let head = ReceivedHead(method: method, target: "/", fields: fields)
        return RangeReply.decide(head, validators: validators, size: size)
    }

    @Test(
        "Single ranges, suffixes, and what is no range",
        arguments: [
            (nil, .whole), ("bytes=0-0", .part(0..<1)), ("bytes=10-19", .part(10..<20)), ("bytes=99-", .part(99..<100)),
            ("bytes=0-", .part(0..<100)), ("bytes=50-1000", .part(50..<100)), ("bytes=100-", .unsatisfiable),
            ("bytes=100-200", .unsatisfiable), ("bytes=-1", .part(99..<100)), ("bytes=-1000", .part(0..<100)),
            ("bytes=-0", .unsatisfiable), ("Bytes=0-1", .part(0..<2)), ("bytes=5-4", .whole), ("bytes=-", .whole),
            ("bytes=a-b", .whole), ("bytes=1-2-3", .whole), ("bytes=0-1,5-6", .whole), ("lines=0-1", .whole),
            ("bytes 0-1", .whole), ("bytes=99999999999999999999-", .unsatisfiable),
            ("bytes=0-99999999999999999999", .part(0..<100)), ("bytes=-99999999999999999999", .part(0..<100)),
        ] as [(String?, RangeReply)])
    func ranges(value: String?, wanted: RangeReply) {
        #expect(decide(value) == wanted)
    }

    @Test(
        "If-Range holds for the strong tag or the very date only",
        arguments: [
            ("\"v1\"", true), ("\"v2\"", false), ("W/\"v1\"", false), ("Sun, 06 Nov 1994 08:49:37 GMT", true),
            ("Sun, 06 Nov 1994 08:49:38 GMT", false), ("v1", false),
        ])
    func ifRange(value: String, holds: Bool) {
        #expect(decide("bytes=1-2", ifRange: value) == (holds ? .part(1..<3) : .whole))
    }

    @Test("A weak tag of the resource never matches")
    func weakResource() {
        let weak = Fields([.init("ETag", "W/\"v1\"")])
        #expect(decide("bytes=1-2", ifRange: "W/\"v1\"", validators: weak) == .whole)
        #expect(decide("bytes=1-2", ifRange: "\"v1\"", validators: weak) == .whole)
    }

    @Test("Other methods than GET, and empty bodies")
    func edges() {
        #expect(decide("bytes=0-1", method: "POST") == .whole)
        #expect(decide("bytes=0-", size: 0) == .unsatisfiable)
        #expect(decide("bytes=-5", size: 0) == .unsatisfiable)
    }
}
