import HTTPBasics
import Testing

@testable import ServerScript

@Suite struct UploadRequestTests {
    private static func parse(
        _ line: String, _ fields: [(String, String)], body: ReceivedHead.Framing
    ) throws(Malformed) -> UploadRequest? {
        let words = line.split(separator: " ").map(String.init)
        let list = Fields(fields.map { Fields.Field($0.0, $0.1) })
        let head = ReceivedHead(method: words[0], target: words[1], fields: list, framing: body)
        return try UploadRequest.parse(head, UploadVersion(list), isResource: words[1].hasPrefix("/u/"))
    }

    private static let six = ("Upload-Draft-Interop-Version", "6")
    private static let three = ("Upload-Draft-Interop-Version", "3")
    private static let last = ("Upload-Complete", "?1")
    private static let part = ("Content-Type", "application/partial-upload")

    static let good: [(String, [(String, String)], UploadRequest?)] = [
        ("POST /in", [six, last], .create(isLast: true, length: 10)),
        ("PUT /in", [six, ("Upload-Complete", "?0")], .create(isLast: false, length: nil)),
        ("POST /in", [six, ("Upload-Complete", "?0"), ("Upload-Length", "70")], .create(isLast: false, length: 70)),
        ("POST /in", [six, last, ("Upload-Length", "10")], .create(isLast: true, length: 10)),
        ("POST /in", [three, ("Upload-Incomplete", "?0")], .create(isLast: true, length: nil)),
        ("POST /in", [three, ("Upload-Incomplete", "?1")], .create(isLast: false, length: nil)),
        ("PATCH /in", [six, last], .create(isLast: true, length: 10)),
        ("HEAD /u/1", [six], .ask), ("DELETE /u/1", [three], .cancel), ("GET /u/1", [six], .unknown),
        ("PATCH /u/1", [six, part, ("Upload-Offset", "7"), last], .append(offset: 7, isLast: true)),
        ("PATCH /u/1", [six, part, ("Upload-Offset", "7")], .append(offset: 7, isLast: false)),
        ("PATCH /u/1", [three, ("Upload-Offset", "0")], .append(offset: 0, isLast: true)),
        (
            "PATCH /u/1", [three, ("Upload-Offset", "0"), ("Upload-Incomplete", "?1")],
            .append(offset: 0, isLast: false)
        ),
        ("OPTIONS /in", [], .limits), ("OPTIONS /u/1", [six], .limits), ("OPTIONS *", [], .limits),
        // Any other request; also one that speaks another version.
        ("POST /in", [], nil), ("POST /in", [last], nil), ("GET /in", [six], nil), ("HEAD /in", [six], nil),
        ("DELETE /in", [six, last], nil), ("POST /in", [("Upload-Draft-Interop-Version", "7"), last], nil),
    ]

    @Test(arguments: good)
    func `a request is known by method, place and fields`(
        line: String, fields: [(String, String)], wanted: UploadRequest?
    ) throws {
        #expect(try Self.parse(line, fields, body: .length(10)) == wanted)
    }

    static let bad: [(String, [(String, String)], String)] = [
        ("POST /in", [six], "no Upload-Complete"),
        ("POST /in", [three, last], "no Upload-Incomplete"),
        ("POST /in", [six, ("Upload-Complete", "true")], "Upload-Complete is neither '?0' nor '?1'"),
        ("POST /in", [six, last, last], "Upload-Complete is neither '?0' nor '?1'"),
        ("POST /in", [six, last, ("Upload-Offset", "0")], "Upload-Offset in a request that creates an upload"),
        ("POST /in", [six, last, ("Upload-Length", "11")], "Upload-Length and Content-Length differ"),
        ("POST /in", [six, last, ("Upload-Length", "-1")], "Upload-Length is not a number of bytes"),
        ("HEAD /u/1", [], "no Upload-Draft-Interop-Version that says 3, 5 or 6"),
        ("PATCH /u/1", [("Upload-Draft-Interop-Version", "4")], "no Upload-Draft-Interop-Version that says 3, 5 or 6"),
        ("HEAD /u/1", [six, last], "Upload-Complete in a HEAD request"),
        ("HEAD /u/1", [six, ("Upload-Offset", "1")], "Upload-Offset in a HEAD request"),
        ("HEAD /u/1", [six, ("Upload-Length", "1")], "Upload-Length in a HEAD request"),
        ("DELETE /u/1", [three, ("Upload-Incomplete", "?0")], "Upload-Incomplete in a DELETE request"),
        ("PATCH /u/1", [six, part, last], "no Upload-Offset"),
        ("PATCH /u/1", [six, ("Upload-Offset", "1"), last], "Content-Type is not application/partial-upload"),
        ("PATCH /u/1", [three, ("Upload-Offset", "1 ")], "Upload-Offset is not a number of bytes"),
        ("PATCH /u/1", [three, ("Upload-Offset", "1000000000000000")], "Upload-Offset is not a number of bytes"),
        (
            "PATCH /u/1", [three, ("Upload-Offset", "1"), ("Upload-Offset", "1")],
            "Upload-Offset is not a number of bytes"
        ),
    ]

    @Test(arguments: bad)
    func `what breaks the draft is named`(line: String, fields: [(String, String)], text: String) {
        let error = #expect(throws: Malformed.self) { try Self.parse(line, fields, body: .length(10)) }
        #expect(error?.text == text)
    }

    @Test func `a body without a length says nothing of the upload's`() throws {
        let request = try Self.parse("POST /in", [Self.six, Self.last], body: .chunked)
        #expect(request == .create(isLast: true, length: nil))
    }
}
