import Foundation
import Testing

@testable import SessionNetworking

@Suite struct SuggestedFilenameTests {
    // BEHAVIOUR 2.F31
    @Test(
        arguments: [
            (nil, "http://h/a/b.html", nil, "b.html"),
            (nil, "http://h/a/b%20c.html?x=y", nil, "b c.html"),
            (nil, "http://h/a/report", "application/pdf", "report.pdf"),
            (nil, "http://h/a/report.cgi", "application/pdf", "report.cgi"),
            (nil, "http://h/a/report", "application/x-unheard-of", "report"),
            (nil, "http://h.example/", nil, "Unknown"),
            (nil, "http://h.example", "text/html", "Unknown"),
            (nil, "http://h/..%2f..%2fetc%2fpasswd", nil, ".._.._etc_passwd"),
            (nil, "http://h/..", nil, "Unknown"),
            (nil, "", nil, "Unknown"), (nil, "mailto:", nil, "Unknown"),
            ("attachment", "http://h/a.txt", nil, "a.txt"),
            ("attachment; filename=\"\"", "http://h/a.txt", nil, "a.txt"),
            ("attachment; filename=..", "http://h/a.txt", nil, "a.txt"),
            ("attachment; filename=\"a\u{0}b\n.txt\"", "http://h/", nil, "a_b_.txt"),
            ("attachment; filename=report", "http://h/", "text/csv", "report.csv"),
            ("attachment; filename=.profile", "http://h/", "text/plain", ".profile.txt"),
        ] as [(String?, String, String?, String)])
    func `a name is found and is safe`(disposition: String?, location: String, type: String?, name: String) throws {
        let found = SuggestedFilename.choose(disposition: disposition, url: URL(string: location), mimeType: type)
        #expect(found == name)
    }

    @Test func `a name that just fits stays whole`() {
        let longest = String(repeating: "a", count: 251) + ".txt"
        #expect(SuggestedFilename.choose(disposition: "a; filename=\(longest)", url: nil, mimeType: nil) == longest)
        let longer = SuggestedFilename.choose(disposition: "a; filename=b\(longest)", url: nil, mimeType: nil)
        #expect(longer.utf8.count == 255)
    }

    @Test func `a long name is cut and keeps its added extension`() {
        let long = String(repeating: "é", count: 400)
        let name = SuggestedFilename.choose(disposition: "a; filename=\(long)", url: nil, mimeType: "text/html")
        #expect(name.utf8.count <= 255)
        #expect(name.hasSuffix("é.html"))
    }

    // BEHAVIOUR 2.F31
    @Test(
        arguments: [
            ("inline; filename*=UTF-8''n%e2%82%ac.txt; filename=b.txt", "n€.txt"),
            ("inline; filename=b.txt; filename*=UTF-8'en'a.txt", "a.txt"),
            ("inline; filename*=iso-8859-1''%E9.txt", "é.txt"),
            ("inline; filename*=UTF-8''%ff; filename=b.txt", "b.txt"),
            ("inline; filename*=iso-8859-1''%E; filename=b.txt", "b.txt"),
            ("inline; filename*=koi8-r''x; filename=b.txt", "b.txt"),
            ("inline; filename*=x", nil),
            ("inline; FileName = \"a b.txt\"", "a b.txt"),
            ("inline; filename=\"a\\\"b.txt\"", "a\"b.txt"),
            ("inline; filename=\"a\\\\;b.txt\"; x", "a\\;b.txt"),
            ("inline; filename=\"never closed; x=y", "never closed; x=y"),
            ("inline; filename=a.txt; filename=b.txt", "a.txt"),
            ("filename=a.txt", nil),
            ("", nil), (";;;", nil), ("inline; =; filename", nil),
        ] as [(String, String?)])
    func `Content-Disposition`(value: String, name: String?) {
        #expect(ContentDisposition.filename(in: value) == name)
    }
}
