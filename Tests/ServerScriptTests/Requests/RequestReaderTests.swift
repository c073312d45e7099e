import HTTPBasics
import NIOCore
import Testing

@testable import ServerScript

@Suite struct RequestReaderTests {
    /// Everything that comes out, bodies joined, as short words.
    private func read(_ pieces: [String]) -> [String] {
        var reader = RequestReader()
        var words: [String] = []
        var body = ""
        for piece in pieces {
            reader.receive(ByteBuffer(string: piece))
            while let event = reader.next() {
                switch event {
                case .head(let head): words.append("\(head.method) \(head.target) \(head.framing)")
                case .body(let bytes): body += String(buffer: bytes)
                case .end(let trailers):
                    words.append("end \(body)\(trailers.list.map { " \($0.name)=\($0.value)" }.joined())")
                    body = ""
                case .malformed(let text):
                    words.append("malformed: \(text)")
                    return words
                }
            }
        }
        return words
    }

    private func pieces(_ text: String, of size: Int) -> [String] {
        let bytes = Array(text.utf8)
        return stride(from: 0, to: bytes.count, by: size).map { start in
            String(decoding: bytes[start..<min(start + size, bytes.count)], as: UTF8.self)
        }
    }

    static let legal: [(String, [String])] = [
        ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", ["GET / none", "end "]),
        ("GET /?q=%20 HTTP/1.1\r\nhost:a:80\r\n\r\n", ["GET /?q=%20 none", "end "]),
        ("OPTIONS * HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", ["OPTIONS * none", "end "]),
        ("GET http://a/b HTTP/1.1\r\nHost: a\r\n\r\n", ["GET http://a/b none", "end "]),
        ("CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n", ["CONNECT a:443 none", "end "]),
        ("GET / HTTP/1.0\r\n\r\n", ["GET / none", "end "]),
        ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", ["PUT / length(3)", "end abc"]),
        ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", ["PUT / length(0)", "end "]),
        (
            "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n",
            ["PUT / chunked", "end abc0123456789"]
        ),
        (
            "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\nX-Sum: 1\r\n\r\n",
            ["PUT / chunked", "end  X-Sum=1"]
        ),
        (
            "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nxGET /2 HTTP/1.1\r\nHost: a\r\n\r\n",
            ["PUT / length(1)", "end x", "GET /2 none", "end "]
        ),
    ]

    @Test("Legal requests, whole and in pieces of any size", arguments: legal)
    func legalRequests(text: String, wanted: [String]) {
        for size in [text.utf8.count, 1, 2, 3, 7] { #expect(read(pieces(text, of: size)) == wanted, "size \(size)") }
    }

    private static let start = "GET / HTTP/1.1\r\nHost: a\r\n"
    private static let chunked = "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

    static let malformed: [(String, String)] = [
        ("CONNECT u:p@a:1 HTTP/1.1\r\nHost: a\r\n\r\n", "the target of CONNECT holds user information"),
        ("\r\nGET / HTTP/1.1\r\n", "empty line before the request line"),
        ("GET / HTTP/1.1\n", "bare LF in request line"),
        ("\u{16}\u{3}\u{1}", "a TLS handshake on a port without TLS: the URL must begin with http://"),
        ("GET /\r HTTP/1.1\r\n", "bare CR in request line"),
        ("GET  / HTTP/1.1\r\n", "request line is not method, target and version with one space between"),
        ("GET /\r\n", "request line is not method, target and version with one space between"),
        (" GET / HTTP/1.1\r\n", "request line is not method, target and version with one space between"),
        ("G(T / HTTP/1.1\r\n", "method is not a token"),
        ("GET / HTTP/2.0\r\n", "version is neither HTTP/1.1 nor HTTP/1.0"),
        ("GET / http/1.1\r\n", "version is neither HTTP/1.1 nor HTTP/1.0"),
        ("GET /#x HTTP/1.1\r\n", "target holds a fragment"),
        ("GET /\u{1}x HTTP/1.1\r\n", "target holds byte 0x01"),
        ("GET /| HTTP/1.1\r\n", "target holds '|', which must be percent-encoded"),
        ("GET /%2 HTTP/1.1\r\n", "target holds a broken percent escape"),
        ("GET /%zz HTTP/1.1\r\n", "target holds a broken percent escape"),
        ("GET x HTTP/1.1\r\n", "target is neither a path nor an absolute URL"),
        ("GET * HTTP/1.1\r\n", "target is neither a path nor an absolute URL"),
        (start + "A: b\n", "bare LF in field line"),
        (start + "A: b\rc\r\n", "bare CR in field line"),
        (start + "A : b\r\n", "blank before the colon in field line"),
        (start + " A: b\r\n", "line folding in field line"),
        (start + "A\r\n", "field line without a colon"),
        (start + ": b\r\n", "field line without a name"),
        (start + "A@: b\r\n", "field name is not a token in field line"),
        (start + "A: b\0c\r\n", "control byte 0x00 in the value of A"),
        (start + "Host: b\r\n\r\n", "two Host fields"),
        ("GET / HTTP/1.1\r\n\r\n", "no Host"),
        ("GET / HTTP/1.1\r\nHost:\r\n\r\n", "Host is not a host with an optional port"),
        ("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", "Host is not a host with an optional port"),
        ("GET / HTTP/1.1\r\nHost: a:x\r\n\r\n", "Host is not a host with an optional port"),
        (
            start + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "Content-Length and Transfer-Encoding together"
        ),
        (start + "Content-Length: 1\r\nContent-Length: 1\r\n\r\n", "two Content-Length fields"),
        (start + "Content-Length: +1\r\n\r\n", "Content-Length is not a number"),
        (start + "Content-Length: 1, 1\r\n\r\n", "Content-Length is not a number"),
        (start + "Content-Length: 99999999999999999999\r\n\r\n", "Content-Length is not a number"),
        (start + "Transfer-Encoding: gzip, chunked\r\n\r\n", "Transfer-Encoding other than chunked"),
        ("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", "Transfer-Encoding in an HTTP/1.0 request"),
        (chunked + "x\r\n", "chunk size is not hexadecimal"),
        (chunked + "\r\n", "chunk size is not hexadecimal"),
        (chunked + "1 \r\n", "chunk size is not hexadecimal"),
        (chunked + "1\n", "bare LF in chunk size line"),
        (chunked + "ffffffffffffffffff\r\n", "chunk size is too large"),
        (chunked + "1\r\naX", "chunk data not followed by CRLF"),
        (chunked + "1\r\na\n", "chunk data not followed by CRLF"),
        (chunked + "1;\u{1}\r\n", "control byte 0x01 in a chunk extension"),
        (chunked + "0\r\nHost: b\r\n", "Host in the trailers"),
        (chunked + "0\r\nA b\r\n", "trailer line without a colon"),
        (start + "A: " + String(repeating: "x", count: 70_000) + "\r\n", "head over 64 KiB"),
        (chunked + "1;" + String(repeating: "x", count: 20_000) + "\r\n", "chunk size line over 16 KiB"),
        (chunked + "0\r\nA: " + String(repeating: "x", count: 20_000) + "\r\n", "trailers over 16 KiB"),
    ]

    @Test("Each violation is named, whole and byte by byte", arguments: malformed)
    func violations(text: String, wanted: String) {
        #expect(read([text]).last == "malformed: \(wanted)")
        #expect(read(pieces(text, of: 1)).last == "malformed: \(wanted)")
    }

    @Test("A message never shows the value of a field")
    func noValues() {
        let words = read(["GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Basic c2Vj\u{1}cmV0\r\n"])
        #expect(words == ["malformed: control byte 0x01 in the value of Authorization"])
    }

    @Test("A body limit holds bytes back until it is raised")
    func bodyLimit() {
        var reader = RequestReader()
        reader.receive(ByteBuffer(string: "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nabcd"))
        guard case .head = reader.next() else { return #expect(Bool(false), "no head") }
        #expect(reader.next(bodyLimit: 0) == nil)
        #expect(reader.next(bodyLimit: 3) == .body(ByteBuffer(string: "abc")))
        #expect(reader.next(bodyLimit: 0) == nil)
        #expect(reader.next() == .body(ByteBuffer(string: "d")))
        #expect(reader.next(bodyLimit: 0) == .end(trailers: Fields()))
    }

    @Test("Values that are not UTF-8 are read byte by byte as Latin-1")
    func latin1() {
        var reader = RequestReader()
        reader.receive(
            ByteBuffer(bytes: Array("GET / HTTP/1.1\r\nHost: a\r\nX: ".utf8) + [0xe9] + Array("\r\n\r\n".utf8)))
        guard case .head(let head) = reader.next() else { return #expect(Bool(false), "no head") }
        #expect(head.fields.first("X") == "\u{e9}")
    }

    @Test func `a head that came before is the same, however it comes, and whatever follows`() throws {
        let recent = RecentHeads()
        func heads(_ pieces: [String], _ reading: Reading = .strict) -> (heads: [ReceivedHead], bodies: String) {
            var reader = RequestReader(reading), heads: [ReceivedHead] = [], bodies = ""
            for piece in pieces {
                reader.receive(ByteBuffer(string: piece))
                while let event = reader.next(knowing: recent) {
                    switch event {
                    case .head(let head): heads.append(head)
                    case .body(let bytes): bodies += String(buffer: bytes)
                    case .end: bodies += "."
                    case .malformed(let text): return (heads, text)
                    }
                }
            }
            return (heads, bodies)
        }
        let get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
        let put = "PUT /b HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n"
        let sent = heads([get + put + "abc" + get + put + "def"])
        #expect(sent.heads.map(\.target) == ["/a", "/b", "/a", "/b"] && sent.bodies == ".abc..def.")
        #expect(sent.heads[0] === sent.heads[2] && sent.heads[1] === sent.heads[3])
        // On another connection. In pieces it is read anew once a line of it is.
        #expect(heads([get]).heads[0] === sent.heads[0])
        let post = "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", chunks = "1\r\nx\r\n0\r\n\r\n"
        let posted = heads([post + chunks]).heads[0]
        let early = heads([String(post.prefix(9)), String(post.dropFirst(9)) + chunks + get])
        #expect(early.heads[0] === posted && early.bodies == "x..")
        let late = heads([String(post.prefix(20)), String(post.dropFirst(20)) + chunks + get])
        #expect(late.heads[0] == posted && late.heads[0] !== posted && late.bodies == "x..")
        // Credentials are not kept.
        let secret = get.replacing("\r\n\r\n", with: "\r\nAuthorization: Basic x\r\n\r\n")
        let secrets = heads([secret + secret]).heads
        #expect(secrets[0] == secrets[1] && secrets[0] !== secrets[1])
        // A longer one that begins alike, and one that a strict reader refuses.
        #expect(heads([get.replacing("\r\n\r\n", with: "\r\nX: y\r\n\r\n")]).heads[0].fields.first("X") == "y")
        let odd = get.replacing("/a", with: "/?{")
        #expect(heads([odd, odd], .lenient).heads.map(\.notes.count) == [1, 1] && heads([odd]).heads.isEmpty)
        // Too many others have come since, or it is too long.
        for number in 0..<RecentHeads.capacity { _ = heads([get.replacing("/a", with: "/\(number)")]) }
        let long = get.replacing("/a", with: "/" + String(repeating: "x", count: RecentHeads.longest))
        let again = heads([get, long + long])
        #expect(again.heads[0] !== sent.heads[0] && again.heads[1] !== again.heads[2])
    }

    /// The head's notes, or what is wrong.
    private func read(_ text: String, _ reading: Reading) -> [String] {
        var reader = RequestReader(reading)
        reader.receive(ByteBuffer(string: text))
        switch reader.next() {
        case .head(let head): return head.notes
        case .malformed(let text): return ["refused: " + text]
        default: return ["nothing"]
        }
    }

    @Test(
        "What many clients do is refused, or noted by a lenient reader",
        arguments: [
            ("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "empty line before the request line"),
            ("GET /?a={b} HTTP/1.1\r\nHost: a\r\n\r\n", "'{', which must be percent-encoded"),
            ("GET /?a|b^c} HTTP/1.1\r\nHost: a\r\n\r\n", "'|', which must be percent-encoded"),
            ("GET /?a=50% HTTP/1.1\r\nHost: a\r\n\r\n", "broken percent escape"),
            ("GET /?a=%zz HTTP/1.1\r\nHost: a\r\n\r\n", "broken percent escape"),
            (
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
                "two Content-Length fields"
            ),
        ])
    func lenient(text: String, finding: String) {
        let (strict, lenient) = (read(text, .strict), read(text, .lenient))
        #expect(strict.count == 1 && strict[0].hasPrefix("refused: ") && strict[0].contains(finding))
        #expect(lenient.count == 1 && !lenient[0].hasPrefix("refused") && lenient[0].contains(finding), "\(lenient)")
    }

    @Test(
        "A lenient reader refuses what leaves a doubt",
        arguments: [
            "GET /{b} HTTP/1.1\r\nHost: a\r\n\r\n", "GET /%?a HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /?a=\"b\" HTTP/1.1\r\nHost: a\r\n\r\n", "GET /?a#b HTTP/1.1\r\nHost: a\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
            "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
        ])
    func doubtful(text: String) { #expect(read(text, .lenient).first?.hasPrefix("refused: ") == true) }

    @Test("Empty lines without end are refused by a lenient reader too")
    func emptyLines() {
        #expect(read(String(repeating: "\r\n", count: 40_000), .lenient) == ["refused: head over 64 KiB"])
    }
}
