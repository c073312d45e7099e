import HTTPBasics
import NIOCore
import Testing

@testable import ServerScript

@Suite struct ReceivedDocumentTests {
    private func differences(_ rule: RequestMatch.BodyRule, _ body: String) throws -> [String] {
        var found: [String] = []
        try ServerPlay.run(Step(.exchange(Exchange(RequestMatch("POST", "/", body: rule), reply: Reply())))) { play in
            play.connect()
            try play.book.check("connected", true)
            play.send("POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: \(body.utf8.count)\r\n\r\n")
            play.sendBytewise(body)
            found = play.body().split(separator: "\n").filter { $0.hasPrefix("  ") }.map { String($0.dropFirst(2)) }
        }
        return found
    }

    private func json(_ text: String) throws -> JSONValue { try JSONReader.read(Array(text.utf8)) }

    @Test("Equal as values of JSON")
    func equal() throws {
        let rule = RequestMatch.BodyRule.json(try json(#"{"id":7,"lines":[{"sku":"a"},2.5],"password":"x"}"#))
        #expect(try differences(rule, #" {"password":"x", "lines":[{"sku":"a"}, 25e-1], "id":7.0}"#) == [])
        #expect(
            try differences(rule, #"{"id":"7","lines":[{"sku":"b","n":1},2],"more":{},"password":"y"}"#) == [
                #"body.id: wanted 7, got "7""#, #"body.lines[0].sku: wanted "a", got "b""#,
                "body.lines[0].n: wanted none, got 1", "body.lines[1]: wanted 2.5, got 2",
                "body.password: wanted ***, got another value", "body.more: wanted none, got an object",
            ])
        #expect(try differences(rule, #"{"id":7,"lines":[1],"password":"x"}"#) == ["body.lines: wanted 2 items, got 1"])
        #expect(try differences(rule, "[1]") == ["body: wanted an object, got a list of 1"])
        #expect(try differences(rule, "nothing") == ["body: no JSON: no value at byte 0"])
    }

    @Test("A subset: more members may be there, in any object")
    func subset() throws {
        let rule = RequestMatch.BodyRule.jsonSubset(try json(#"{"a":{"b":1},"l":[{"c":2}]}"#))
        #expect(try differences(rule, #"{"x":0,"a":{"b":1,"y":0},"l":[{"c":2,"z":0}]}"#) == [])
        #expect(
            try differences(rule, #"{"a":{},"l":[{"c":2},1]}"#) == [
                "body.a.b: wanted 1, got none", "body.l: wanted 1 item, got 2",
            ])
    }

    @Test("A form's items")
    func form() throws {
        let rule = RequestMatch.BodyRule.form([
            .init("name", .values(["ann lee"])), .init("tag", .values(["a", "b"])), .init("old", .none),
            .init("mail", .some(.contains("@"))), .init("token", .values(["s3cret"])),
        ])
        #expect(try differences(rule, "tag=a&name=ann+lee&mail=a%40b&tag=b&token=s3cret&x=1") == [])
        #expect(
            try differences(rule, "tag=a&old=1&mail=ab&token=other") == [
                "form name: wanted \"ann lee\", got none", "form tag: wanted \"a\", \"b\", got \"a\"",
                "form old: wanted none, got \"1\"", "form mail: wanted something with \"@\" in it, got \"ab\"",
                "form token: wanted ***, got another value",
            ])
    }

    @Test("Text in it, a pattern, a digest")
    func text() throws {
        #expect(try differences(.contains("lo w"), "hello world") == [])
        #expect(try differences(.contains("x"), "hello") == ["body: wanted \"x\" in it, got \"hello\""])
        #expect(try differences(.contains("x"), "") == ["body: wanted \"x\" in it, got none"])
        #expect(try differences(.matches(TextPattern("^h.*d$")), "hello world") == [])
        #expect(
            try differences(.matches(TextPattern("^w")), "hello") == [
                "body: wanted something that matches /^w/, got \"hello\""
            ])
        let digest = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
        #expect(try differences(.sha256(digest), "hello") == [])
        #expect(
            try differences(.sha256(digest), "hallo").first?.hasPrefix("body SHA-256: wanted \(digest), got d3") == true
        )
        let whole = RequestMatch.BodyRule.sha256(digest)
        #expect(whole.differences(in: Array("hello".utf8)) == [] && whole.differences(in: []).count == 1)
    }

    @Test("Of a body that is too long to be held only the digest is judged")
    func bound() throws {
        let piece = ByteBuffer(repeating: 0x61, count: ReceivedDocument.limit)
        let document = ReceivedDocument(), contains = RequestMatch.BodyRule.contains("a")
        document.prepare(for: contains)
        document.take(piece)
        #expect(document.differences(from: contains) == [])
        document.take(ByteBuffer(string: "a"))
        #expect(document.differences(from: contains) == ["body: longer than the 1 MiB that it is looked through in"])
        let rule = RequestMatch.BodyRule.matches(try TextPattern("a"))
        #expect(rule.differences(in: Array(piece.readableBytesView)).count == 1)
    }

    @Test("Many conditions hold a body once, and all requests no more than they may")
    func budget() {
        let budget = DocumentBudget(), piece = ByteBuffer(repeating: 0x61, count: 1000)
        budget.left = 1500
        let rules = [RequestMatch.BodyRule.contains("a"), .contains("aa"), .contains("aaa")]
        var first: ReceivedDocument? = ReceivedDocument(budget)
        for rule in rules { first?.prepare(for: rule) }
        first?.take(piece)
        #expect(budget.left == 500 && rules.allSatisfy { first?.differences(from: $0) == [] })
        let second = ReceivedDocument(budget)
        second.prepare(for: rules[0])
        second.take(piece)
        #expect(budget.left == 500 && second.differences(from: rules[0]).first?.contains("holds 256 MiB") == true)
        first = nil
        #expect(budget.left == 1500)
    }
}
