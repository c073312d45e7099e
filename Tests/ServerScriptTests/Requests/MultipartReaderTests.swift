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
        var store = ContentStore()
        var check = MultipartCheck(rule, type, &store)
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
