import Testing

@testable import HTTPBasics

/// RFC 2397.
@Suite struct DataURLTests {
    // BEHAVIOUR 2.H3-data
    @Test(arguments: [
        ("data:,a%20b", "text/plain", "a b"), ("data:,", "text/plain", ""),
        ("DATA:text/html,<p>", "text/html", "<p>"), ("data:;charset=utf-8,x", "text/plain; charset=utf-8", "x"),
        ("data:text/plain;charset=%22iso-8859-1%22,x", "text/plain; charset=iso-8859-1", "x"),
        ("data:;base64,aGVsbG8=", "text/plain", "hello"),
        ("data:text/css;BASE64,aGVs%62G8", "text/css", "hello"), ("data:a/b;base64,aGVs%0AbG8%3D", "a/b", "hello"),
        ("data:no-type,x", "text/plain", "x"), ("data:a/b;base64;c=d,aGVs", "a/b; c=d", "aGVs"),
        ("data:,a?b#fragment", "text/plain", "a?b"),
        ("data:,a,b", "text/plain", "a,b"),
    ]) func `type and bytes`(text: String, type: String, content: String) throws {
        let url = try #require(URLReference(text).flatMap { DataURL($0) })
        #expect(url.mediaType.description == type)
        #expect(String(decoding: url.bytes, as: UTF8.self) == content)
    }

    // BEHAVIOUR 2.H3-data
    @Test(arguments: [
        "data:text/plain", "data:", "data:,%", "data:,%4", "data:,%zz", "data:;base64,a", "data:;base64,a*b=",
        "data:;base64,=", "http://a/,b", "data://host/,b",
    ]) func `what is none`(text: String) throws {
        #expect(DataURL(try #require(URLReference(text))) == nil)
    }

    @Test func `all bytes survive`() throws {
        let bytes = Array(UInt8.min...UInt8.max)
        let escaped = bytes.map { "%" + (String($0, radix: 16).count == 1 ? "0" : "") + String($0, radix: 16) }.joined()
        for text in ["data:," + escaped, "data:;base64," + Base64.encode(bytes)] {
            #expect(try #require(URLReference(text).flatMap { DataURL($0) }).bytes == bytes)
        }
    }
}
