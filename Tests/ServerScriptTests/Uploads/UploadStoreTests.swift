import HTTPBasics
import NIOCore
import Testing

@testable import ServerScript

/// A store, and clients that ask it in short words.
private struct Desk {
    var store = UploadStore()
    let contents = ContentStore()
    var rule = UploadRule(below: "/u/")
    var version = 6

    static func head(_ line: String, _ version: Int, _ fields: [String], _ body: ReceivedHead.Framing) -> ReceivedHead {
        var list = Fields([.init("Upload-Draft-Interop-Version", String(version))])
        for field in fields {
            let halves = field.split(separator: ":", maxSplits: 1).map(String.init)
            list.append(halves[0], halves[1].replacing(" ", with: ""))
        }
        let words = line.split(separator: " ").map(String.init)
        if version == 6, words[0] == "PATCH" { list.append("Content-Type", "application/partial-upload") }
        return ReceivedHead(method: words[0], target: words[1], fields: list, framing: body)
    }

    mutating func begin(_ line: String, _ fields: String..., body: ReceivedHead.Framing) -> UploadStore.Turn? {
        store.begin(Self.head(line, version, fields, body), rule, contents)
    }

    /// The whole request at once. Of a whole upload the text is `whole` and what came.
    mutating func ask(_ line: String, _ fields: String..., body: String = "", chunked: Bool = false) -> String {
        let framing = chunked ? ReceivedHead.Framing.chunked : .length(body.utf8.count)
        guard var turn = store.begin(Self.head(line, version, fields, framing), rule, contents) else {
            return "ordinary"
        }
        store.take(ByteBuffer(string: body), for: &turn)
        return Self.text(store.end(turn, isCut: false))
    }

    mutating func create(_ body: String = "", isLast: Bool = true) -> String {
        let flag =
            version == 3 ? "Upload-Incomplete: \(isLast ? "?0" : "?1")" : "Upload-Complete: \(isLast ? "?1" : "?0")"
        return ask("POST /in", flag, body: body)
    }

    mutating func append(_ body: String, at offset: Int, isLast: Bool = true, to path: String = "/u/1") -> String {
        let flag =
            version == 3 ? "Upload-Incomplete: \(isLast ? "?0" : "?1")" : "Upload-Complete: \(isLast ? "?1" : "?0")"
        return ask("PATCH \(path)", "Upload-Offset: \(offset)", flag, body: body)
    }

    static func text(_ ending: UploadStore.Ending) -> String {
        switch ending {
        case .answer(let answer):
            let text = answer.text.isEmpty ? "" : " \(answer.text)"
            return "\(answer.status)\(shown(answer.fields))\(text)"
        case .complete(let path, let body, let fields):
            return "whole \(path) '\(String(decoding: body.prefix, as: UTF8.self))'\(shown(fields))"
        case .wrong(let differences): return "wrong \(differences.joined(separator: "; "))"
        }
    }

    private static func shown(_ fields: Fields) -> String {
        let names = ["Upload-Offset": "at", "Upload-Complete": "complete", "Upload-Incomplete": "incomplete"]
        let others = ["Location", "Upload-Limit", "Upload-Length", "Cache-Control", "Allow"]
        return fields.list.filter { names[$0.name] != nil || others.contains($0.name) }
            .map { " \(names[$0.name] ?? $0.name) \($0.value)" }.joined()
    }
}

@Suite struct UploadStoreTests {
    @Test(arguments: [3, 5, 6])
    func `an upload comes in parts, each where the last one ended`(version: Int) {
        var desk = Desk(version: version)
        let open = version == 3 ? "incomplete ?1" : "complete ?0"
        let whole = version == 3 ? "incomplete ?0" : "complete ?1"
        #expect(desk.create("abc", isLast: false) == "201 at 3 \(open) Location /u/1")
        #expect(desk.ask("HEAD /u/1") == "204 at 3 \(open) Cache-Control no-store")
        #expect(desk.append("de", at: 3, isLast: false) == "201 at 5 \(open)")
        #expect(desk.append("", at: 5) == "whole /u/1 'abcde' at 5 \(whole)")
        #expect(desk.ask("HEAD /u/1").hasPrefix("204 at 5 \(whole)"))
    }

    @Test(arguments: [3, 5, 6])
    func `an upload that comes at once is whole, and can be continued if it does not`(version: Int) {
        var desk = Desk(version: version)
        #expect(desk.create("abc").hasPrefix("whole /u/1 'abc' at 3 "))
        #expect(desk.create().hasPrefix("whole /u/2 '' at 0 "))
        let flag = version == 3 ? "Upload-Incomplete: ?0" : "Upload-Complete: ?1"
        let turn = desk.begin("POST /in", flag, body: .length(5))
        let interim = turn?.interim(desk.rule)
        #expect(interim?.status == 104)
        #expect(interim?.fields.first("Location") == "/u/3")
        #expect(interim?.fields.first("Upload-Draft-Interop-Version") == String(version))
        guard var turn else { return }
        desk.store.take(ByteBuffer(string: "ab"), for: &turn)
        // The connection is lost here.
        #expect(desk.ask("HEAD /u/3").hasPrefix("204 at 2 "))
        #expect(desk.append("cde", at: 2, to: "/u/3").hasPrefix("whole /u/3 'abcde' at 5 "))
    }

    @Test(arguments: [
        (3, "409 at 3 incomplete ?1 Upload-Offset: wanted 3, got 2"), (6, "409 at 3 complete ?0 {\"type\""),
    ])
    func `another offset is a conflict`(version: Int, answer: String) {
        var desk = Desk(version: version)
        _ = desk.create("abc", isLast: false)
        #expect(desk.append("c", at: 2).hasPrefix(answer))
        #expect(desk.append("c", at: 4).hasPrefix("409 at 3"))
        #expect(desk.append("d", at: 3).hasPrefix("whole /u/1 'abcd'"))
    }

    @Test(arguments: [
        (3, "409 at 1 incomplete ?0"), (5, "409 at 1 complete ?1"), (6, "400 at 1 complete ?1 {\"type\""),
    ])
    func `nothing is appended to a whole upload`(version: Int, answer: String) {
        var desk = Desk(version: version)
        _ = desk.create("a")
        #expect(desk.append("b", at: 1).hasPrefix(answer))
        #expect(desk.ask("HEAD /u/1").hasPrefix("204 at 1 "))
    }

    @Test(arguments: [3, 5, 6])
    func `a cancelled upload is gone, and so is one that never was`(version: Int) {
        var desk = Desk(version: version)
        _ = desk.create("a", isLast: false)
        #expect(desk.ask("DELETE /u/1") == "204")
        for request in ["HEAD /u/1", "DELETE /u/1", "HEAD /u/7"] {
            #expect(desk.ask(request) == "404 there is no upload \(request.split(separator: " ")[1])")
        }
        #expect(desk.append("b", at: 1) == "404 there is no upload /u/1")
    }

    @Test func `a malformed request is told, and changes nothing`() {
        var desk = Desk()
        #expect(desk.ask("POST /in", body: "a") == "400 no Upload-Complete")
        _ = desk.create("a", isLast: false)
        #expect(desk.ask("PATCH /u/1", "Upload-Complete: ?1", body: "b") == "400 at 1 complete ?0 no Upload-Offset")
        #expect(desk.ask("GET /u/1") == "405 Allow HEAD, PATCH, DELETE, OPTIONS")
        #expect(desk.ask("HEAD /u/1").hasPrefix("204 at 1 complete ?0"))
    }

    @Test func `who asks or appends takes the place of a request that is still there`() {
        var desk = Desk()
        guard var first = desk.begin("POST /in", "Upload-Complete: ?1", body: .length(6)) else {
            Issue.record("it is ordinary")
            return
        }
        desk.store.take(ByteBuffer(string: "ab"), for: &first)
        #expect(desk.ask("HEAD /u/1").hasPrefix("204 at 2 "))
        desk.store.take(ByteBuffer(string: "cdef"), for: &first)
        #expect(Desk.text(desk.store.end(first, isCut: false)) == "409 at 2 complete ?0 another request has taken over")
        #expect(desk.append("CDEF", at: 2) == "whole /u/1 'abCDEF' at 6 complete ?1")
    }

    @Test func `a body that was not read to its end makes nothing whole`() {
        var desk = Desk()
        guard var turn = desk.begin("POST /in", "Upload-Complete: ?1", body: .length(6)) else {
            Issue.record("it is ordinary")
            return
        }
        desk.store.take(ByteBuffer(string: "ab"), for: &turn)
        #expect(Desk.text(desk.store.end(turn, isCut: true)) == "201 at 2 complete ?0 Location /u/1")
    }
}

// MARK: Sizes

extension UploadStoreTests {
    @Test func `in version 6 the size that was told first counts`() {
        var desk = Desk()
        let begun = desk.ask("POST /in", "Upload-Complete: ?0", "Upload-Length: 5", body: "ab")
        #expect(begun == "201 at 2 complete ?0 Location /u/1")
        #expect(desk.ask("HEAD /u/1") == "204 at 2 complete ?0 Upload-Length 5 Cache-Control no-store")
        #expect(desk.append("cd", at: 2) == "400 at 2 complete ?0 4 bytes of an upload of 5")
        #expect(desk.append("cdef", at: 2) == "400 at 2 complete ?0 6 bytes of an upload of 5")
        #expect(desk.append("cdef", at: 2, isLast: false) == "400 at 5 complete ?0 more than the upload's length")
        #expect(desk.append("", at: 5) == "whole /u/1 'abcde' at 5 complete ?1")
    }

    @Test func `a chunked rest is counted where its length is known`() {
        var desk = Desk()
        _ = desk.ask("POST /in", "Upload-Complete: ?0", "Upload-Length: 5", body: "ab")
        let short = desk.ask("PATCH /u/1", "Upload-Offset: 2", "Upload-Complete: ?1", body: "c", chunked: true)
        #expect(short == "400 at 3 complete ?0 3 bytes of an upload of 5")
        let long = desk.ask("PATCH /u/1", "Upload-Offset: 3", "Upload-Complete: ?1", body: "def", chunked: true)
        #expect(long == "400 at 5 complete ?0 more than the upload's length")
    }

    @Test(arguments: [
        (3, "204"), (5, "204"), (6, "204 Upload-Limit max-size=5, min-size=2, max-append-size=3, min-append-size=1"),
    ])
    func `limits are told in the version that has them`(version: Int, answer: String) {
        let limits = UploadLimits(maxSize: 5, minSize: 2, maxAppendSize: 3, minAppendSize: 1)
        var desk = Desk(rule: UploadRule(below: "/u/", limits: limits), version: version)
        #expect(desk.ask("OPTIONS /in") == answer)
        desk.rule.limits = UploadLimits()
        #expect(desk.ask("OPTIONS /in") == (version == 6 ? "204 Upload-Limit min-size=0" : "204"))
    }

    @Test(arguments: [3, 5, 6])
    func `no upload grows beyond its limit`(version: Int) {
        var desk = Desk(rule: UploadRule(below: "/u/", limits: UploadLimits(maxSize: 5)), version: version)
        let announced = desk.create("abcdef")
        #expect(announced.hasPrefix("413"))
        // Only version 6 knows beforehand, and makes none.
        #expect(announced.contains("Location") == (version != 6))
        let path = version == 6 ? "/u/1" : "/u/2"
        _ = desk.create("abcd", isLast: false)
        #expect(desk.append("ef", at: 4, to: path).hasPrefix("413 at 4"))
        let offset = "Upload-Offset: 4"
        let more = desk.ask("PATCH \(path)", offset, body: "ef", chunked: true)
        #expect(more.hasPrefix("413 at 5") && more.contains("more than max-size"))
        #expect(desk.append("", at: 5, to: path).hasPrefix("whole \(path) 'abcde'"))
    }

    @Test func `requests that append have limits of their own, but for the last`() {
        let limits = UploadLimits(maxAppendSize: 3, minAppendSize: 2)
        var desk = Desk(rule: UploadRule(below: "/u/", limits: limits))
        _ = desk.create("", isLast: false)
        #expect(desk.append("a", at: 0, isLast: false).hasSuffix("less than min-append-size"))
        #expect(desk.append("abcd", at: 0, isLast: false).hasSuffix("more than max-append-size"))
        #expect(desk.append("abc", at: 0, isLast: false).hasPrefix("201 at 3"))
        #expect(desk.append("d", at: 3).hasPrefix("whole /u/1 'abcd'"))
    }

    @Test func `what is known to be small is an ordinary upload`() {
        var desk = Desk(rule: UploadRule(below: "/u/", limits: UploadLimits(minSize: 3)))
        #expect(desk.create("ab") == "ordinary")
        #expect(desk.create("abc").hasPrefix("whole /u/1"))
        #expect(desk.create("ab", isLast: false).hasPrefix("201"))
    }

    @Test func `a number that cannot be added to is too large`() {
        var desk = Desk(version: 3)
        _ = desk.create("", isLast: false)
        let turn = desk.begin("PATCH /u/1", "Upload-Offset: 0", body: .length(.max))
        #expect(turn.map { Desk.text(desk.store.end($0, isCut: true)) } == "201 at 0 incomplete ?1")
        _ = desk.append("a", at: 0, isLast: false)
        let second = desk.begin("PATCH /u/1", "Upload-Offset: 1", body: .length(.max))
        #expect(second.map { Desk.text(desk.store.end($0, isCut: false)) }?.hasPrefix("413") == true)
    }
}

// MARK: Contents and bounds

extension UploadStoreTests {
    @Test func `a whole upload is held against what it should be, wherever it was cut`() {
        var desk = Desk(rule: UploadRule(below: "/u/", content: .text("abcdef")))
        _ = desk.create("abc", isLast: false)
        #expect(desk.append("def", at: 3).hasPrefix("whole"))
        _ = desk.create("abc", isLast: false)
        let wrong = "wrong body at byte 4: wanted \"ef\", got \"Ef\""
        #expect(desk.append("dEf", at: 3, to: "/u/2") == wrong)
        _ = desk.create("abc", isLast: false)
        #expect(desk.append("de", at: 3, to: "/u/3") == "wrong body: wanted 6 bytes, got 5")
    }

    @Test func `complete uploads make room for new ones, and only they`() {
        var desk = Desk()
        _ = desk.create("a")
        for _ in 1..<UploadStore.uploadLimit { _ = desk.create("b", isLast: false) }
        #expect(desk.create("c", isLast: false).hasPrefix("201"))
        #expect(desk.ask("HEAD /u/1").hasPrefix("404"))
        #expect(desk.create("d", isLast: false).hasPrefix("503"))
        #expect(desk.ask("HEAD /u/2").hasPrefix("204 at 1"))
    }

    @Test func `of a large upload only the beginning is kept`() {
        var desk = Desk()
        let body = String(repeating: "x", count: 100_000)
        let turn = desk.begin("POST /in", "Upload-Complete: ?1", body: .length(100_000))
        guard var turn else { return }
        desk.store.take(ByteBuffer(string: body), for: &turn)
        guard case .complete(_, let record, _) = desk.store.end(turn, isCut: false) else {
            Issue.record("not complete")
            return
        }
        #expect(record.count == 100_000)
        #expect(record.prefix.count == BodyRecorder.keptBytes)
    }
}
