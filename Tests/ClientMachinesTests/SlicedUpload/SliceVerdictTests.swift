import HTTPBasics
import Testing

@testable import ClientMachines

@Suite struct SliceVerdictTests {
    private let now = UnixTime(seconds: 1_700_000_000)

    // BEHAVIOUR 3.B1-status
    @Test func `a status says whether another attempt makes sense`() {
        for status in [200, 201, 202, 204, 299] {
            #expect(SliceVerdict(status: status, retryAfter: "7", now: now) == .stored)
        }
        for status in [408, 425, 429, 500, 502, 503, 504] {
            let verdict = SliceVerdict(status: status, retryAfter: nil, now: now)
            #expect(verdict == .failed(.passing(retryAfter: nil)))
        }
        for status in [0, 100, 199, 300, 304, 308, 400, 401, 403, 404, 409, 413, 416, 422, 501, 505, 507, 999] {
            #expect(SliceVerdict(status: status, retryAfter: "7", now: now) == .failed(.lasting))
        }
    }

    @Test func `Retry-After is a number of seconds or a date`() {
        let cases: [(String, Duration?)] = [
            ("120", .seconds(120)), ("0", .zero), ("-1", nil), ("soon", nil), ("", nil),
            (HTTPDate.text(UnixTime(seconds: now.seconds + 90)), .seconds(90)),
            (HTTPDate.text(UnixTime(seconds: now.seconds - 90)), .zero),
        ]
        for (text, span) in cases {
            let verdict = SliceVerdict(status: 503, retryAfter: text, now: now)
            #expect(verdict == .failed(.passing(retryAfter: span)), "\(text)")
        }
    }
}
