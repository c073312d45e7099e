import HTTPBasics
import Testing

@testable import ClientMachines

/// BEHAVIOUR 2.C21-date
@Suite struct CookieDateTests {
    @Test(arguments: [
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("8:49:37 94 6 November", nil), ("6nov 1994x 08:49:37.5", nil), ("06 nov 1994 08:49:37", 784_111_777),
        ("1 Jan 69 0:0:0", 3_124_224_000), ("1 Jan 70 0:0:0", 0), ("1 Jan 1601 0:0:0", -11_644_473_600),
        ("1 Jan 1600 0:0:0", nil), ("1 Jan 199 0:0:0", nil), ("1 Jan 19999 0:0:0", nil), ("0 Jan 1999 0:0:0", nil),
        ("31 Feb 1999 0:0:0", nil), ("1 Jan 1999 24:0:0", nil), ("1 Jan 1999 0:60:0", nil), ("1 Jan 1999 0:0:60", nil),
        ("1 Jan 1999 000:0:0", nil), ("1 Jan 1999 0:0", nil), ("1 Ja 1999 0:0:0", nil), ("", nil), (" ,;", nil),
        ("1 Jan 1999 25:0:0 0:0:0", nil), ("0:0:0x 1x Janx 1999x", 915_148_800),
    ])
    func `four parts are looked for, in any order`(text: String, seconds: Int64?) {
        #expect(CookieDate.parse(text)?.seconds == seconds)
    }
}
