import HTTPBasics
import ServerScript
import Testing

@testable import Cookbook

@Suite("The pages below /case")
struct CasePagesTests {
    private static let body = Content.counter(size: 100_000)
    private static let script = Script(steps: [
        Step(
            .exchange(
                Exchange(
                    RequestMatch(
                        "GET", "/a", fields: [RequestMatch.NamedRule("Range", .equals("bytes=5-"))],
                        basic: BasicCredentials(user: "ann", password: "s3cret")))), lane: "A", times: 2),
        Step(.exchange(Exchange(RequestMatch("PUT", "/b", body: .equals(body))))),
        Step(
            .exchange(Exchange(RequestMatch("PUT", "/c"), faults: [Fault(at: .requestBody(50_000), do: .reset)]))),
    ])
    private let cookbook = Cookbook(
        cases: CookbookCases([
            CookbookCase("topic/one", about: "A sentence.", script: script),
            CookbookCase("topic/tls", script: Script(), obstacle: "it is about TLS"),
            CookbookCase("topic/" + String(repeating: "long-", count: 20) + "/x y", script: script),
        ]))

    private func ask(
        _ target: String, method: String = "GET", json: Bool = false, standing: [String: ScopeStanding] = [:]
    ) -> (reply: Reply?, text: String, reset: String?) {
        var fields = Fields([Fields.Field("Host", "h")])
        if json { fields.append("Accept", "application/json") }
        let head = ReceivedHead(method: method, target: target, fields: fields)
        let found = cookbook.improvise(ImprovisedRequest(head, date: UnixTime(seconds: 0))) { standing[$0] }
        let reply = found?.exchange.reply
        let bytes = reply.map { $0.body.bytes(at: 0, count: $0.body.count) }
        return (reply, bytes.map { String(buffer: $0) } ?? "", found?.reset)
    }

    @Test("A page says what to send, to which URL, in order, and what each request must have")
    func page() {
        let text = ask("/case/topic/one").text
        #expect(text.hasPrefix("topic/one\n  A sentence.\n"))
        #expect(text.contains("1. GET http://h/scope:case.topic.one/a (2 times)\n       over connection A\n"))
        #expect(text.contains("       Range: \"bytes=5-\"\n"))
        #expect(text.contains("       user ann, password s3cret\n"))
        #expect(
            text.contains("2. PUT http://h/scope:case.topic.one/b\n       with the body http://h/case/topic/one/body/2")
        )
        #expect(text.contains("The verdict: curl http://h/case/topic/one/verdict\n"))
        #expect(JSONSyntax.holds(Array(ask("/case/topic/one", json: true).text.utf8)))
        #expect(ask("/case/topic/one?client=me").text.contains("/scope:case.topic.one~me/a"))
        #expect(ask("/case/topic/tls").text.contains("Only the scenario's own client can play it: it is about TLS."))
        #expect(ask("/case/topic/one/body/2").reply?.body == Self.body)
        #expect(text.contains("3. PUT http://h/scope:case.topic.one/c\n       with a body of at least 50000 bytes"))
    }

    @Test("The list has all cases, with the reasons of those that cannot be played")
    func list() {
        let text = ask("/case").text
        #expect(text.hasPrefix("2 cases that any client can play, and 1 that only their own can.\n"))
        #expect(text.contains("http://h/case/topic/one\n") && text.contains("topic/tls: it is about TLS\n"))
        #expect(JSONSyntax.holds(Array(ask("/case", json: true).text.utf8)))
        #expect(ask("/case/topic").text == text && ask("/case/topi").reply?.status == 404)
        let below = ask("/case/topic/" + String(repeating: "long-", count: 20)).text
        #expect(below.hasPrefix("1 case that any client can play, and 0 "))
    }

    @Test("A verdict names what did not happen, and what should not have")
    func verdict() {
        let verdict = { (standing: ScopeStanding) in
            self.ask("/case/topic/one/verdict", standing: ["case.topic.one": standing]).text
        }
        #expect(ask("/case/topic/one/verdict").text == "untouched\n  nobody has asked for anything yet\n")
        #expect(verdict(ScopeStanding(requestCount: 3)) == "fulfilled\n")
        #expect(
            verdict(ScopeStanding(requestCount: 1, unconsumed: ["PUT /b"])) == "unfinished\n  did not happen: PUT /b\n")
        #expect(
            verdict(ScopeStanding(requestCount: 1, unconsumed: ["PUT /b"], violations: ["GET /x\ny"]))
                == "failed\n  GET /x\n    y\n  did not happen: PUT /b\n")
        let xml = ask(
            "/case/verdicts.xml", standing: ["case.topic.one": ScopeStanding(requestCount: 1, violations: ["<&"])]
        ).text
        #expect(xml.contains("tests=\"2\" failures=\"1\" skipped=\"1\""))
        #expect(xml.contains("<failure message=\"failed\">&lt;&amp;</failure>"))
        #expect(ask("/case/verdicts").text.contains("topic/one: untouched\n"))
    }

    @Test("POST begins anew; what is not there is 404 with what is")
    func reset() {
        #expect(ask("/case/topic/one", method: "POST").reset == "case.topic.one")
        #expect(ask("/case/topic/one?client=a", method: "POST").reset == "case.topic.one~a")
        #expect(ask("/case/topic/one").reset == nil)
        for target in ["/case", "/case/topic", "/case/topic/one", "/case/topic/one/verdict", "/case/verdicts.xml"] {
            let options = ask(target, method: "OPTIONS").reply, put = ask(target, method: "PUT").reply
            #expect(options?.status == 200 && put?.status == 405)
            #expect(options?.fields.first("Allow") == put?.fields.first("Allow"))
            #expect((ask(target, method: "POST").reply?.status == 200) == (target == "/case/topic/one"))
        }
        let wrong = ask("/case/topic/ome")
        #expect(wrong.reply?.status == 404 && wrong.text.contains("did you mean 'topic/one'?"))
        #expect(ask("/case/topic/one?client=a%20b").reply?.status == 400)
        for number in 0...5 where number != 2 {
            #expect(ask("/case/topic/one/body/\(number)").reply?.status == 400)
        }
        #expect(ask("/case/topic/one?clent=a").text == "?clent: did you mean 'client'?\n")
    }

    @Test("A scope's name is one, however long the case's; it plays the case's script")
    func scopes() {
        for played in cookbook.cases.list { #expect(ScopeName.isGood(played.scope(of: "0123456789abcdef"))) }
        #expect(cookbook.script(ofScope: "case.topic.one") == Self.script)
        #expect(cookbook.script(ofScope: "case.topic.one~me") == Self.script)
        #expect(cookbook.script(ofScope: "case.topic.tls") == nil && cookbook.script(ofScope: "mine") == nil)
    }
}
