import HTTPBasics
import Testing

@testable import ServerScript

@Suite struct SubstitutionTests {
    static let origins = ["a.test": "http://a.test:80", "b.test": "http://127.0.0.2:81", "b.test.x": "http://x:82"]

    private func replaced(_ text: String) -> String {
        let substitution = Substitution(hosts: ["a.test", "b.test", "b.test.x"], origins: Self.origins)
        let script = Script(routes: [
            route("GET", "/", Reply(fields: Fields([.init("Location", text)]), body: .text(text)))
        ])
        let reply = substitution.apply(to: script).routes[0].exchange.reply
        let value = reply?.fields.first("Location")
        #expect(reply?.body == value.map(Content.text))
        return value ?? ""
    }

    @Test(
        "The origin of the first or of a named host",
        arguments: [
            ("$origin/x", "http://a.test:80/x"), ("$origin.b.test/x", "http://127.0.0.2:81/x"),
            ("$origin.b.test.x/", "http://x:82/"), ("$origin.a.test", "http://a.test:80"),
            ("$origin", "http://a.test:80"),
            ("<$origin> $origin.b.test", "<http://a.test:80> http://127.0.0.2:81"), ("$original", "$original"),
            ("$$origin/x", "$origin/x"), ("$$$origin", "$http://a.test:80"), ("$$$$origin.b.test", "$$origin.b.test"),
            ("$$original", "$$original"), ("$origin-b", "$origin-b"), ("$origin-", "http://a.test:80-"),
            ("$origi", "$origi"), ("no word", "no word"), ("$", "$"),
            ("$origin.c.test", "http://a.test:80.c.test"),
        ])
    func words(text: String, wanted: String) {
        #expect(replaced(text) == wanted)
    }

    @Test("Bytes are left alone, in bodies and raw steps, and their lengths with them")
    func bytes() {
        let bytes = Content.bytes(Array("$origin $$origin".utf8))
        let reply = Reply(
            body: .compressed(bytes, .gzip), interim: [Interim(status: 100, raw: bytes)], timeline: [.raw(bytes)])
        let script = Script(routes: [route("GET", "/", reply)])
        let result = Substitution(hosts: ["a.test"], origins: Self.origins).apply(to: script)
        #expect(result.routes[0].exchange.reply == reply)
    }

    @Test("Raw steps and wanted fields are replaced too")
    func elsewhere() {
        let raw = SendStep.repeat(2, [.raw(.text("$origin"))])
        var exchange = Exchange(
            RequestMatch(fields: [.init("Origin", .equals("$origin"))]), reply: Reply(timeline: [raw]))
        exchange = Exchange(exchange.request, reply: exchange.reply)
        let script = Script(steps: [Step(.exchange(exchange))])
        let result = Substitution(hosts: ["a.test"], origins: Self.origins).apply(to: script)
        guard case .exchange(let changed) = result.steps[0].action else { return #expect(Bool(false), "no exchange") }
        #expect(changed.request.fields == [.init("Origin", .equals("http://a.test:80"))])
        #expect(changed.reply?.timeline == [.repeat(2, [.raw(.text("http://a.test:80"))])])
    }
}
