import HTTPBasics
import Testing

@testable import ServerScript

@Suite("A script that is lenient with its clients")
struct ScriptMachineReadingTests {
    private static let head = "PUT /1 HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"

    private func script(_ reading: Reading, _ exchange: Exchange) -> Script {
        var script = Script(steps: [Step(.exchange(exchange))])
        script.reading = reading
        return script
    }

    private func exchange(_ interim: [Interim] = [], readBody: ReadBody = .all) -> Exchange {
        Exchange(RequestMatch("PUT", "/1"), reply: Reply(interim: interim), readBody: readBody)
    }

    private func continues(_ script: Script, _ text: String = head, times: Int) throws {
        try ServerPlay.run(script) { play in
            play.connect()
            play.send(text)
            try play.book.check("100", play.wire().ranges(of: "HTTP/1.1 100 ").count, is: times)
        }
    }

    @Test("It tells a client that waits for 100 (Continue) to go on, once and where the script does not")
    func continues() throws {
        try continues(script(.lenient, exchange()), times: 1)
        try continues(script(.strict, exchange()), times: 0)
        try continues(script(.lenient, exchange([Interim(status: 103)])), times: 1)
        try continues(script(.lenient, exchange(readBody: .none)), times: 0)
        let route = Route(exchange())
        var routes = Script(routes: [route])
        routes.reading = .lenient
        try continues(routes, times: 1)
    }

    @Test("No client is told whose body is there, which has none, or which cannot understand it")
    func nobody() throws {
        let lenient = script(.lenient, exchange())
        try continues(lenient, Self.head + "abc", times: 0)
        try continues(lenient, Self.head.replacing("Content-Length: 3", with: "X: y"), times: 0)
        try continues(lenient, Self.head.replacing("/1.1", with: "/1.0"), times: 0)
    }

    @Test("A 100 of the script's own goes out as it is written")
    func scripted() throws {
        try continues(script(.lenient, exchange([Interim(status: 100, times: 2)])), times: 2)
    }

    @Test("What it passes over is in the journal, behind its request")
    func noted() throws {
        var script = Script(routes: [Route(Exchange(RequestMatch("GET", "*"), reply: Reply()))])
        script.reading = .lenient
        try ServerPlay.run(script) { play in
            play.connect()
            play.ask("GET /?a={b}")
            let text = "target holds '{', which must be percent-encoded"
            let wanted = ["0/0 request GET /?a={b}", "0/0 noted \(text)", "0/0 answered 200"]
            try play.book.check("events", play.events().filter { !$0.contains("accepted") }, is: wanted)
        }
    }
}
