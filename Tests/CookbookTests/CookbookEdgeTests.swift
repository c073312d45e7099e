import HTTPBasics
import ServerScript
import Testing

@testable import Cookbook

@Suite("Hostile requests to the cookbook")
struct CookbookEdgeTests {
    @Test(arguments: [
        "/redirect-to?url=/a%0D%0ASet-Cookie:%20x=1", "/redirect-to?url=a%20b", "/redirect-to",
        "/redirect-to?url=/a&status_code=200", "/response-headers?X-A=1%0D%0AX-B:2", "/response-headers?X%0AY=1",
        "/response-headers?=1", "/cookies/set?a=1%0D%0A", "/cookies/set?a=b;c", "/cookies/set/a%20b/1",
        "/trailers?X=%00", "/trailers?Content-Length=1", "/etag/a%22b", "/etag/%0D%0A", "/bytes/-1", "/bytes/1TiB",
        "/bytes/99999999999999999999", "/bytes/1025GiB", "/bytes/007", "/range/0", "/range/200000", "/status/199",
        "/status/1000", "/status/200,", "/status/200:x", "/status/200:0", "/status/200:-1", "/redirect/0",
        "/redirect/1001", "/links/201/0", "/links/3/-1", "/delay/601", "/delay/-1", "/delay/1.", "/delay/1e9",
        "/delay/99999999999999999999s", "/drip?numbytes=0", "/drip?duration=999999", "/drip?code=100", "/sse?count=0",
        "/stream/1001", "/stream-bytes/10?chunk_size=0", "/body?pattern=zeros", "/body?size=-1", "/base64/a",
        "/base64/!!!!",
        "/image/bmp", "/digest-auth/auth/a/b/SHA-1", "/digest-auth/auth/a/b/MD5/x", "/bytes/", "/get/",
        "/bytes/1?seed=x", "/cache/-1", "/drip?numbyte=5", "/body?SIZE=1", "/stream-bytes/10?chunksize=1KiB",
        "/redirect-to?url=/a&status-code=307", "/redirect/2?absolut=true",
        "/sse?dealy=1", "/first/2/fail/503/sse?cont=3",
    ])
    func `what a URL must not say is refused with a text`(target: String) {
        let asked = Asked("GET", target)
        #expect(asked.status == 400, "\(target): \(asked.text)")
        #expect(asked.text.utf8.count > 10 && asked.text.last == "\n")
        #expect(asked.field("Content-Type") == "text/plain; charset=utf-8")
    }

    @Test(
        "No answer has a line break in a field, whatever is asked for",
        arguments: ["%0D%0A", "%0A", "%00", "%7F", "%0Dx"])
    func breaks(text: String) {
        for recipe in Recipe.chapters.flatMap(\.recipes) {
            let words = recipe.words.map { word in
                if case .literal(let word) = word { word } else { "a\(text)" }
            }
            let path = "/" + words.joined(separator: "/")
            for target in [path, "\(path)?a=\(text)&\(text)=a&url=\(text)&seed=\(text)"] {
                let asked = Asked(recipe.methods.first ?? "GET", target)
                for field in (asked.reply?.fields.list ?? []) + (asked.reply?.trailers.list ?? []) {
                    let isClean = (field.name + field.value).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
                    #expect(isClean, "\(target): \(field.name)")
                }
            }
        }
    }

    @Test("No tag of somebody else's stands in HTML, nor in what could be taken for it")
    func tags() {
        let hostile = "%3Cscript%3E"
        for recipe in Recipe.chapters.flatMap(\.recipes) + [IndexPage.recipe] {
            let words = recipe.words.map { word in
                if case .literal(let word) = word { word } else { hostile }
            }
            let asked = Asked(
                recipe.methods.first ?? "GET", "/" + words.joined(separator: "/") + "?a=\(hostile)",
                fields: [("Accept", "text/html"), ("X-A", "<script>"), ("Host", "<script>")], body: "\"<script>\"")
            guard asked.field("Content-Type") != "text/plain; charset=utf-8" else { continue }
            #expect(!asked.text.contains("<script>"), "\(recipe.pattern)")
        }
    }

    @Test("Passwords of a URL are not in the journal's target")
    func secrets() {
        let shown = { Asked("GET", $0).improvisation?.shownTarget }
        #expect(shown("/basic-auth/ann/s3cret") == "/basic-auth/ann/***")
        #expect(
            shown("/rate/1KiB/digest-auth/auth/ann/s3cret/MD5?x=1") == "/rate/1KiB/digest-auth/auth/ann/***/MD5?x=1")
        #expect(shown("/ntlm/ann/s3cret/LAB") == "/ntlm/ann/***/LAB")
        #expect(shown("/get") == nil)
        // Refused: what each word would have been is not known.
        #expect(shown("/digest-auth/auth/ann/s3cret/SHA-999") == "/digest-auth/***")
        #expect(shown("/chance/150/fail/503/basic-auth/ann/s3cret") == "/chance/150/fail/503/basic-auth/***")
        #expect(shown("/basic-auth/ann/s3cret/x?y=1") == "/basic-auth/***")
    }

    @Test("Names of a query that nobody knows are passed over, and every name that an answer knows is told")
    func names() {
        for target in [
            "/get?size=1&siz=2", "/drip?id=1&numbytes=1", "/body?id=17", "/cookies/set?numbyte=1", "/drip?node=a",
            "/body?site=a", "/sse?count=1&mount=2", "/body?size=1&Size=2", "/redirect-to?URL=/a&Status_Code=307",
        ] {
            #expect(Asked("GET", target).status != 400, "\(target)")
        }
        for recipe in Recipe.chapters.flatMap(\.recipes) {
            for name in recipe.parameters { #expect(recipe.about.contains(name), "\(recipe.pattern): \(name)") }
        }
    }

    @Test("Bodies of a tebibyte are only as large as what is sent of them")
    func size() {
        for path in ["/bytes/1024GiB", "/stream-bytes/1024GiB", "/body?size=1024GiB"] {
            #expect(Asked("GET", path).reply?.body.plainSize == 1 << 40)
        }
        #expect(Asked("GET", "/encode/gzip/bytes/2MiB").status == 400)
    }

    @Test("Of a long body its beginning comes back, with what tells it apart")
    func longBody() {
        let asked = Asked("POST", "/post", body: String(repeating: "a", count: 70_000))
        #expect(asked.compact.contains(#""truncated":{"kept":65536,"size":70000,"fnv1a":""#))
        #expect(asked.compact.contains(#""json":null"#))
    }

    @Test("Bytes that are no text come back as a data URL")
    func binary() throws {
        let call = RecipeCall(
            request: ImprovisedRequest(ReceivedHead(method: "POST", target: "/post"), date: UnixTime(seconds: 0)),
            target: try #require(CookbookTarget("/post")), captures: [:],
            body: RecordedBody(prefix: [0xff, 0xfe], count: 2, checksum: 0))
        let line = String(decoding: RequestEcho(call).json("data").line, as: UTF8.self)
        #expect(line == "{\"data\": \"data:application/octet-stream;base64,//4=\"}\n")
        #expect(Asked("GET", "/anything?a=%FF").compact.contains(#""a":"%FF""#))
    }
}
