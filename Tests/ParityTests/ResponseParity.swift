import Foundation
import Testing

#if PARITY_FOUNDATION
import FoundationNetworking
#else
import SessionNetworking
#endif

@Suite("Responses")
struct ResponseParity {
    private func response(_ fields: [String: String]?, status: Int = 200) throws -> HTTPURLResponse {
        let url = try url("http://example.org/dir/file.html")
        return try #require(
            HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields))
    }

    @Test func `a response keeps what its maker said`() throws {
        let response = URLResponse(
            url: try url("http://example.org/a.txt"), mimeType: "text/plain", expectedContentLength: 7,
            textEncodingName: "utf-8")
        #expect(response.url == URL(string: "http://example.org/a.txt"))
        #expect(response.mimeType == "text/plain")
        #expect(response.expectedContentLength == 7)
        #expect(response.textEncodingName == "utf-8")
        #expect(response.suggestedFilename == "a.txt")
    }

    // BEHAVIOUR 2.F22
    @Test func `field names are canonical in the dictionary, except X names`() throws {
        let response = try response(["content-type": "a/b", "ETAG": "1", "x-fOO": "2", "www-authenticate": "Basic"])
        let keys = response.allHeaderFields.keys.compactMap { $0.base as? String }.sorted()
        #expect(keys == ["Content-Type", "Etag", "WWW-Authenticate", "x-fOO"])
        #expect(response.value(forHTTPHeaderField: "eTag") == "1")
        #expect(response.value(forHTTPHeaderField: "X-Foo") == "2")
        #expect(response.value(forHTTPHeaderField: "missing") == nil)
    }

    // BEHAVIOUR 2.F30
    @Test func `type and encoding come from Content-Type`() throws {
        let response = try response(["Content-Type": "Text/HTML; charset=\"UTF-8\""])
        #expect(response.mimeType == "text/html")
        #expect(response.textEncodingName == "utf-8")
        #expect(try self.response(nil).mimeType == nil)
        #expect(try self.response(["Content-Type": "a/b"]).textEncodingName == nil)
    }

    @Test(arguments: [("12", Int64(12)), ("abc", -1), ("99999999999999999999", -1), (nil, -1)])
    func `the expected length comes from Content-Length`(value: String?, expected: Int64) throws {
        #expect(try response(value.map { ["Content-Length": $0] }).expectedContentLength == expected)
    }

    @Test func `a response that its maker calls encoded still has the given length`() throws {
        let response = try response(["Content-Length": "12", "Content-Encoding": "gzip"])
        #expect(response.expectedContentLength == 12)  // BEHAVIOUR 2.F26
    }

    @Test func `a negative length is no length`() throws {
        #if PARITY_FOUNDATION
        #expect(try response(["Content-Length": "-4"]).expectedContentLength == -4)
        #else
        #expect(try response(["Content-Length": "-4"]).expectedContentLength == -1)
        #endif
    }

    // BEHAVIOUR 2.F31
    @Test(arguments: [
        ("attachment; filename=fname.ext", "fname.ext"), ("attachment; filename=\"a;b.txt\"; x=1", "a;b.txt"),
        ("attachment; filename=\"/a/b/name\"", "_a_b_name"), ("attachment; filename=\"a/../b/name\"", "a_.._b_name"),
    ])
    func `Content-Disposition names the file`(disposition: String, name: String) throws {
        #expect(try response(["Content-Disposition": disposition]).suggestedFilename == name)
    }

    @Test func `without Content-Disposition the URL names the file`() throws {
        #if PARITY_FOUNDATION
        #expect(try response(nil).suggestedFilename == "Unknown")  // BEHAVIOUR 2.F32
        #else
        #expect(try response(nil).suggestedFilename == "file.html")
        #endif
    }

    // BEHAVIOUR 2.F31, 2.F32
    @Test(arguments: ["http://example.org", "http://example.org/"])
    func `where nothing names the file it is Unknown, also out of an archive`(location: String) throws {
        let http = try #require(
            HTTPURLResponse(
                url: try url(location), statusCode: 200, httpVersion: nil,
                headerFields: ["Content-Type": "text/html", "Content-Disposition": "attachment"]))
        #expect(http.suggestedFilename == "Unknown")
        let plain = URLResponse(
            url: try url("http://example.org"), mimeType: "text/html", expectedContentLength: 1, textEncodingName: nil)
        #expect(plain.suggestedFilename == "Unknown")
        for response in [http, plain] {
            let data = try NSKeyedArchiver.archivedData(withRootObject: response, requiringSecureCoding: false)
            let coder = try NSKeyedUnarchiver(forReadingFrom: data)
            coder.requiresSecureCoding = false
            let read = coder.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? URLResponse
            #expect(read?.suggestedFilename == "Unknown")
            #expect(read?.url == response.url)
        }
    }

    @Test(arguments: [
        (100, "Continue"), (200, "OK"), (206, "Partial Content"), (301, "Moved Permanently"), (404, "Not Found"),
        (429, "Too Many Requests"), (500, "Internal Server Error"), (299, "Success"), (399, "Redirection"),
        (499, "Client Error"), (599, "Server Error"),
    ])
    func `a status has a phrase`(status: Int, phrase: String) {
        #expect(HTTPURLResponse.localizedString(forStatusCode: status) == phrase)
    }

    @Test func `responses are equal by value and copies are the same`() throws {
        let one = try response(["A": "1"])
        #expect(one.isEqual(try response(["A": "1"])))
        #expect(one.hash == (try response(["A": "1"])).hash)
        #expect((one.copy() as? HTTPURLResponse)?.isEqual(one) == true)
        #if PARITY_FOUNDATION
        #expect(one.isEqual(try response(["A": "1"], status: 404)))
        #else
        #expect(!one.isEqual(try response(["A": "1"], status: 404)))
        #expect(!one.isEqual(try response(["A": "2"])))
        #endif
    }

    @Test func `existing subclasses compile and are called`() throws {
        let response: URLResponse = BigResponse(
            url: try url("http://example.org/"), mimeType: nil, expectedContentLength: 1, textEncodingName: nil)
        #expect(response.expectedContentLength == 1 << 40)
        let teapot: HTTPURLResponse = try #require(TeapotResponse(try url("http://example.org/")))
        #expect(teapot.statusCode == 418)
        #expect(teapot.description == "teapot")
    }
}

private final class BigResponse: URLResponse, @unchecked Sendable {
    override var expectedContentLength: Int64 { 1 << 40 }
}

private final class TeapotResponse: HTTPURLResponse, @unchecked Sendable {
    init?(_ url: URL) { super.init(url: url, statusCode: 418, httpVersion: nil, headerFields: nil) }
    required init?(coder: NSCoder) { super.init(coder: coder) }
    override var description: String { "teapot" }
}
