import NIOCore
import Testing

@testable import ServerScript

@Suite struct MultipartReaderTests {
    static let type = "multipart/form-data; boundary=XX"
    static let legal = """
        --XX\r
        Content-Disposition: form-data; name="a"\r
        \r
        one\r
        --XX\r
        Content-Disposition: form-data; name="f"; filename="x \\"y\\".txt"\r
        Content-Type: text/plain\r
        \r
        two\r
        -\r
        --X\r
        --XX--\r

        """

    static let rule = MultipartRule(parts: [
        .init(name: "a", content: .text("one")),
        .init(name: "f", filename: "x \"y\".txt", type: "text/plain", content: .text("two\r\n-\r\n--X")),
    ])

    private func differences(
        _ body: String, _ rule: MultipartRule = rule, type: String? = type, pieceSize: Int = .max
    ) -> [String] {
        let store = ContentStore()
        var check = MultipartCheck(rule, type, store)
        var bytes = ByteBuffer(string: body)
        while bytes.readableBytes > 0, let piece = bytes.readSlice(length: min(pieceSize, bytes.readableBytes)) {
            check.take(piece)
        }
        return check.finish()
    }

    @Test(
        "A well-formed body with the right parts has no differences, in pieces of any size", arguments: [1, 2, 5, 1000])
    func legal(pieceSize: Int) {
        #expect(differences(Self.legal, pieceSize: pieceSize) == [])
    }

    @Test("A combining mark behind a quote or a sign is a letter like others")
    func combiningMarks() {
        let body = "--XX\r\nContent-Disposition: form-data; name=\"\u{301}a\"\r\n\r\nx\r\n--XX--"
        let rule = MultipartRule(parts: [.init(name: "\u{301}a", content: .text("x"))])
        #expect(differences(body, rule) == [])
    }

    @Test("An empty part is a part")
    func emptyPart() {
        let body = "--XX\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n--XX--"
        #expect(differences(body, MultipartRule(parts: [.init(name: "a", content: .empty)])) == [])
    }

    /// The first part, not closed.
    private static func part(_ name: String) -> String {
        "--XX\r\nContent-Disposition: form-data; name=\(name)\r\n\r\nx"
    }

    static let malformed: [(String, String)] = [
        ("x" + legal, "body does not start with the boundary"),
        ("--XY\r\n", "body does not start with the boundary"),
        ("--XX \r\n", "boundary not followed by CRLF"),
        ("--XX\r\nContent-Disposition: form-data; name=a\r\n\r\nx", "no closing boundary"),
        ("--XX\r\nContent-Disposition: form-data; name=a\n\r\nx", "bare LF in a part head"),
        ("--XX\r\nContent-Type: text/plain\r\n\r\nx", "part without exactly one Content-Disposition"),
        ("--XX\r\nContent-Disposition: attachment; name=a\r\n\r\nx", "Content-Disposition is not form-data"),
        ("--XX\r\nContent-Disposition: form-data\r\n\r\nx", "part without a name"),
        ("--XX\r\nContent-Disposition: form-data; name=a; filename*=x\r\n\r\nx", "filename* in form data"),
        ("--XX\r\nContent-Disposition: form-data; name=a; filename*0=x\r\n\r\nx", "filename*0 in form data"),
        ("--XX\r\nContent-Disposition: form-data; name=\r\n\r\nx", "parameter value is neither a token nor quoted"),
        ("--XX\r\nContent-Disposition: form-data; name=a filename=x\r\n\r\nx", "parameters not separated by ';'"),
        (part("a"), "no closing boundary"),
        (part("a") + "\r\n--XX", "no closing boundary"),
        (part("a") + "\r\n--XX-", "no closing boundary"),
        // Content that holds the boundary, or what begins with it.
        (part("a") + "\r\n--XX in the text\r\n--XX--", "boundary not followed by CRLF"),
        (part("a") + "\r\n--XXY\r\n--XX--", "boundary not followed by CRLF"),
        (part("a") + "\r\n--XX\r\nof the text\r\n--XX--", "part head without a colon"),
        // The line break before a boundary is the boundary's own.
        (part("a") + "--XX--", "no closing boundary"),
        (part("a") + "\n--XX--", "no closing boundary"),
        ("--XX\r\nContent-Disposition: form-data; name=a\r\nx\r\n--XX--", "part head without a colon"),
        ("--XX\r\n\r\nx\r\n--XX--", "part without exactly one Content-Disposition"),
        (part("a") + "\r\n--XX--\r", "bytes after the closing boundary"),
        ("--XX\r\nContent-Disposition: form-data; name=\"a\r\n\r\nx", "quoted parameter value without an end"),
        ("--XX\r\nContent-Disposition: form-data; name=a; name=b\r\n\r\nx", "parameter name twice"),
        ("--XX\r\nA: " + String(repeating: "x", count: 20_000), "part head over 16 KiB"),
        (legal + "x", "bytes after the closing boundary"),
        (legal + "\r\n", "bytes after the closing boundary"),
    ]

    @Test("Each violation is named, whole and byte by byte", arguments: malformed)
    func violations(body: String, wanted: String) {
        #expect(differences(body).contains("multipart: \(wanted)"))
        #expect(differences(body, pieceSize: 1).contains("multipart: \(wanted)"))
    }

    @Test("Parts may share a name: a field with many files has as many parts (RFC 7578 4.3)")
    func sameName() {
        let body = Self.part("a") + "\r\n" + Self.part("a") + "\r\n--XX--"
        let part = MultipartRule.Part(name: "a", content: .text("x"))
        #expect(differences(body, MultipartRule(parts: [part, part])) == [])
        #expect(differences(body, MultipartRule(parts: [part])) == ["multipart: wanted 1 part, got 2"])
    }

    @Test("Parts have a bound")
    func tooManyParts() {
        let parts = String(repeating: Self.part("a") + "\r\n", count: MultipartReader.partLimit)
        let rule = MultipartRule(parts: [])
        #expect(differences(parts + "--XX--", rule) == ["multipart: wanted 0 parts, got 1024"])
        #expect(differences(parts + Self.part("a"), rule) == ["multipart: more than 1024 parts"])
    }

    @Test("The head of a part has a bound, over all of its lines")
    func longHead() {
        let line = "A: " + String(repeating: "x", count: 1000) + "\r\n"
        let body = "--XX\r\n" + String(repeating: line, count: 17)
        #expect(differences(body, MultipartRule(parts: [])) == ["multipart: part head over 16 KiB"])
    }

    // BEHAVIOUR 3.A1-names
    @Test("A file name is in UTF-8; escaped it is another name, and in another encoding none")
    func encodedNames() {
        func differences(_ name: [UInt8]) -> [String] {
            let store = ContentStore()
            let rule = MultipartRule(parts: [.init(name: "a", filename: "\u{fc}.txt")])
            var check = MultipartCheck(rule, Self.type, store)
            let head = "--XX\r\nContent-Disposition: form-data; name=a; filename=\""
            check.take(ByteBuffer(bytes: Array(head.utf8) + name + Array("\"\r\n\r\nx\r\n--XX--".utf8)))
            return check.finish()
        }
        #expect(differences(Array("\u{fc}.txt".utf8)) == [])
        #expect(differences([0xfc] + Array(".txt".utf8)) == ["multipart: part head is not in UTF-8"])
        let escaped = "multipart: part 1 filename: wanted \"\u{fc}.txt\", got \"%C3%BC.txt\""
        #expect(differences(Array("%C3%BC.txt".utf8)) == [escaped])
    }

    @Test(
        "The content type must name a legal boundary",
        arguments: [
            (nil, "no Content-Type"), ("text/plain", "Content-Type is not multipart/form-data"),
            ("multipart/form-data", "no boundary in Content-Type"),
            ("multipart/form-data; boundary=\"a*b\"", "boundary breaks the rules of RFC 2046"),
            (
                "multipart/form-data; boundary=\"\(String(repeating: "a", count: 71))\"",
                "boundary breaks the rules of RFC 2046"
            ),
        ] as [(String?, String)])
    func contentTypes(type: String?, wanted: String) {
        #expect(differences(Self.legal, type: type) == ["multipart: \(wanted)"])
    }

    @Test("Wrong parts are told apart")
    func wrongParts() {
        let rule = MultipartRule(parts: [
            .init(name: "b", filename: "f", content: .text("onf")), .init(name: "f", type: "image/png"),
            .init(name: "c"),
        ])
        #expect(
            differences(Self.legal, rule) == [
                "multipart: part 1 name: wanted \"b\", got \"a\"",
                "multipart: part 1 filename: wanted \"f\", got none",
                "multipart: part 1: body at byte 2: wanted \"f\", got \"e\"",
                "multipart: part 2 type: wanted \"image/png\", got \"text/plain\"",
                "multipart: wanted 3 parts, got 2",
            ])
    }
}
