import HTTPBasics
import ServerScript
import Testing

@testable import Cookbook

@Suite("The cookbook")
struct CookbookTests {
    struct Answer: Sendable, CustomTestStringConvertible {
        var request: String
        var status = 200
        /// Without blanks and line breaks.
        var contains: [String] = []
        var fields: [String] = []
        var sends: [String] = []
        var body: String?

        var testDescription: String { request }
    }

    static let answers: [Answer] = [
        Answer(
            request: "GET /get?a=1&b=x+y&a=2&c",
            contains: [
                #""args":{"a":["1","2"],"b":"xy","c":""}"#, #""Host":"a.test:80""#, #""origin":"127.0.0.9""#,
                #""url":"http://a.test:80/get?a=1\u0026b=x+y\u0026a=2\u0026c""#,
            ]),
        Answer(request: "GET /headers", contains: [#""X-Mine-Too":"1,2""#], sends: ["x-mine-TOO: 1", "X-Mine-Too: 2"]),
        Answer(request: "GET /ip", contains: [#"{"origin":"10.0.0.1"}"#], sends: ["X-Forwarded-For: 10.0.0.1"]),
        Answer(request: "GET /user-agent", contains: [#"{"user-agent":"me/1"}"#], sends: ["User-Agent: me/1"]),
        Answer(
            request: "POST /post",
            contains: [#""form":{"a":"1","b":["<","3"]}"#.replacing("<", with: "\\u003c"), #""data":"""#],
            sends: ["Content-Type: application/x-www-form-urlencoded"], body: "a=1&b=%3C&b=3"),
        Answer(
            request: "PUT /put", contains: [#""json":{"a":[1,null]}"#, #""data":"{\"a\":[1,null]}""#],
            body: #"{"a": [1, null]}"#),
        Answer(request: "PATCH /patch", contains: [#""json":null"#, #""data":"{a""#], body: "{a"),
        Answer(request: "DELETE /delete", contains: [#""data":"""#]),
        Answer(
            request: "POST /anything/a/b",
            contains: [
                #""files":{"f":"hello"}"#, #""form":{"x":"y"}"#, #""method":"POST""#,
            ], sends: ["Content-Type: multipart/form-data; boundary=B"],
            body: "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a\"\r\n\r\nhello\r\n--B\r\n"
                + "Content-Disposition: form-data; name=\"x\"\r\n\r\ny\r\n--B--\r\n"),
        Answer(request: "POST /get", status: 405, fields: ["Allow: GET, HEAD, OPTIONS"]),
        Answer(
            request: "OPTIONS /post",
            fields: [
                "Allow: POST, OPTIONS", "Access-Control-Allow-Origin: http://b.test",
                "Access-Control-Allow-Headers: X-A",
            ], sends: ["Origin: http://b.test", "Access-Control-Request-Headers: X-A"]),
        Answer(request: "GET http://a.test:80/status/204", status: 204),
        Answer(request: "GET /status/503", status: 503, fields: ["Retry-After: 1"]),
        Answer(request: "GET /status/401", status: 401, fields: ["WWW-Authenticate: Basic realm=\"Fake Realm\""]),
        Answer(request: "GET /redirect/3", status: 302, fields: ["Location: /relative-redirect/2"]),
        Answer(request: "GET /redirect/1", status: 302, fields: ["Location: /get"]),
        Answer(
            request: "GET /redirect/2?absolute=true", status: 302,
            fields: ["Location: http://a.test:80/absolute-redirect/1"]),
        Answer(request: "GET /redirect-to?url=/x&status_code=307", status: 307, fields: ["Location: /x"]),
        Answer(request: "GET /redirect-to?url=/%C3%A4", status: 302, fields: ["Location: /%C3%A4"]),
        Answer(
            request: "POST /redirect-to", status: 308, fields: ["Location: /y"],
            sends: ["Content-Type: application/x-www-form-urlencoded"], body: "url=%2Fy&status_code=308"),
        Answer(
            request: "GET /cookies", contains: [#"{"cookies":{"a":"1","b":"2=3"}}"#], sends: ["Cookie: a=1; b=2=3"]),
        Answer(
            request: "GET /cookies/set?a=1", status: 302, fields: ["Set-Cookie: a=1; Path=/", "Location: /cookies"]),
        Answer(
            request: "GET /cookies/delete?a", status: 302,
            fields: ["Set-Cookie: a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; Path=/"]),
        Answer(request: "GET /basic-auth/a/b", status: 401),
        Answer(request: "GET /basic-auth/a/b", contains: [#""user":"a""#], sends: ["Authorization: Basic YTpi"]),
        Answer(request: "GET /basic-auth/a/c", status: 401, sends: ["Authorization: Basic YTpi"]),
        Answer(request: "GET /hidden-basic-auth/a/b", status: 404),
        Answer(request: "GET /bearer", status: 401, fields: ["WWW-Authenticate: Bearer"]),
        Answer(request: "GET /bearer", contains: [#""token":"t""#], sends: ["Authorization: Bearer t"]),
        Answer(request: "GET /ntlm/a/b", status: 401),
        Answer(request: "GET /cache", fields: ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"]),
        Answer(request: "GET /cache", status: 304, sends: ["If-None-Match: \"x\""]),
        Answer(request: "GET /cache/60", fields: ["Cache-Control: public, max-age=60"]),
        Answer(request: "GET /etag/v1", fields: ["ETag: \"v1\""]),
        Answer(request: "GET /etag/v1", status: 304, sends: ["If-None-Match: \"v0\", W/\"v1\""]),
        Answer(request: "GET /etag/v1", status: 412, sends: ["If-Match: W/\"v1\""]),
        Answer(request: "GET /etag/v1", sends: ["If-Match: *"]),
        Answer(
            request: "GET /response-headers?X-A=1&X-A=2",
            contains: [
                #"{"Content-Length":"101","Content-Type":"application/json","X-A":["1","2"]}"#
            ], fields: ["X-A: 1"]),
        Answer(request: "GET /robots.txt", contains: ["Disallow:/deny"]),
        Answer(request: "GET /base64/aGk_", contains: ["hi?"], fields: ["X-Content-Type-Options: nosniff"]),
        Answer(request: "GET /links/3/1", contains: ["<ahref='/links/3/0'>0</a>1<ahref='/links/3/2'>2</a>"]),
        Answer(request: "GET /image", fields: ["Content-Type: image/png"]),
        Answer(request: "GET /image", fields: ["Content-Type: image/webp"], sends: ["Accept: image/webp,*/*"]),
        Answer(request: "GET /image", status: 406, sends: ["Accept: text/html"]),
        Answer(request: "GET /gzip", fields: ["Content-Encoding: gzip"]),
        Answer(
            request: "GET /brotli", status: SystemCoding.brotli.missingLibrary == nil ? 200 : 501,
            fields: SystemCoding.brotli.missingLibrary == nil ? ["Content-Encoding: br"] : []),
        Answer(
            request: "GET /zstd", status: SystemCoding.zstd.missingLibrary == nil ? 200 : 501,
            fields: SystemCoding.zstd.missingLibrary == nil ? ["Content-Encoding: zstd"] : []),
        Answer(request: "GET /uuid", contains: [#"{"uuid":""#]),
    ]

    @Test(arguments: answers)
    func `each recipe answers as httpbin does`(answer: Answer) {
        let line = answer.request.split(separator: " ").map(String.init)
        let sends = answer.sends.map { text in
            let parts = text.split(separator: ": ", maxSplits: 1).map(String.init)
            return (parts[0], parts[1])
        }
        let asked = Asked(line[0], line[1], fields: sends, body: answer.body)
        #expect(asked.status == answer.status, "\(asked.text)")
        for piece in answer.contains { #expect(asked.compact.contains(piece), "\(asked.text)") }
        for field in answer.fields {
            let parts = field.split(separator: ": ", maxSplits: 1).map(String.init)
            #expect(asked.field(parts[0]) == parts[1])
        }
    }

    @Test("The path of each example in the tables is answered, and not with a complaint")
    func examples() {
        let recipes = Recipe.chapters.flatMap(\.recipes)
        let words = FaultWord.all.map { ($0.example, $0.example.contains("-T ") ? ["PUT"] : ["GET"]) }
        let examples = recipes.map { ($0.example, $0.methods) } + words
        for (example, methods) in examples {
            let words = example.split(separator: " ").map { $0.trimmingPrefix("'") }
            let path = words.last { $0.hasPrefix("/") }.map { $0.last == "'" ? $0.dropLast() : $0 } ?? ""
            let method = methods.first ?? "GET"
            let asked = Asked(method, String(path), body: method == "GET" ? nil : "x=1")
            #expect(asked.status.map { $0 != 400 && $0 != 405 } == true, "\(example): \(asked.text)")
        }
    }

    @Test(arguments: ["/", "/nothing", "/get/x/y", "/gets", "*", "a.test:80", "//", ""])
    func `only what the tables have is the cookbook's`(target: String) {
        let asked = Asked("GET", target)
        switch target {
        case "/": #expect(asked.status == 200)
        case "/get/x/y":
            #expect(asked.text == "the path from '/get' on must have the form /get, with nothing behind it\n")
            #expect(asked.status == 400)
        default: #expect(asked.improvisation == nil)
        }
    }

    @Test("Whoever asks for a page that is not there is told of the nearest")
    func nearest() {
        let head = { ReceivedHead(method: "GET", target: $0) }
        #expect(Cookbook().nearest(to: head("/staus/200")) == ["the cookbook has /status"])
        #expect(Cookbook().nearest(to: head("/zzz")).first?.contains("GET / lists it") == true)
    }

    @Test("The same seed, the same answers; other turns have others")
    func seeds() {
        let uuid = { Asked("GET", "/uuid", draw: $0).text }
        #expect(uuid(1) == uuid(1) && uuid(1) != uuid(2))
        let codes = (0..<200).map {
            Asked("GET", "/status/200:3,503:1", draw: UInt64($0) &* 0x9e37_79b9_7f4a_7c15).status
        }
        #expect((20...80).contains(codes.count { $0 == 503 }) && codes.allSatisfy { $0 == 200 || $0 == 503 })
        let first = Asked("GET", "/bytes/32?seed=5", draw: 1).bytes
        #expect(first.count == 32 && first == Asked("GET", "/bytes/32?seed=5", draw: 2).bytes)
    }
}
