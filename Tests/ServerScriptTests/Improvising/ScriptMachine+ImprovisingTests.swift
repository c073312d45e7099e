import HTTPBasics
import NIOCore
import TestSupport
import Testing

@testable import ServerScript

@Suite("Answers that no script has")
struct ScriptMachineImprovisingTests {
    /// Takes what begins with /i, and repeats its turn, or the body.
    private struct Echo: Improviser {
        func script(ofScope name: String) -> Script? {
            guard name == "own" else { return nil }
            let reply = Reply(fields: Fields([Fields.Field("Location", "$origin/b")]))
            return Script(steps: [Step(.exchange(Exchange(RequestMatch("GET", "/a"), reply: reply)), times: 2)])
        }

        func improvise(
            _ request: ImprovisedRequest, standing: (String) -> ScopeStanding?
        ) -> Improvisation? {
            if request.head.target == "/own" {
                let text = "\(String(describing: standing("own")))"
                return Improvisation(
                    Exchange(RequestMatch(), reply: Reply(body: .bytes(Array(text.utf8)))),
                    reset: request.head.method == "POST" ? "own" : nil)
            }
            guard request.head.target.hasPrefix("/i") else { return nil }
            let reply = Reply(body: .bytes(Array("\(request.turn) \(request.client ?? "")".utf8)))
            let faults = request.head.target == "/i/cut" ? [Fault(at: .body(1), do: .fin)] : []
            return Improvisation(
                Exchange(RequestMatch(), reply: reply, faults: faults), awaitsBody: request.head.method == "POST",
                shownTarget: request.head.target == "/i/secret" ? "/i/***" : nil)
        }

        func reply(to request: ImprovisedRequest, body: RecordedBody) -> Reply {
            Reply(body: .bytes(Array("\(body.count)".utf8)))
        }

        func nearest(to request: ReceivedHead) -> [String] { ["there is /i"] }
    }

    private func play(
        _ script: Script = Script(), hasScopes: Bool = false, _ body: (Playbook<ScriptMachine>) throws -> Void
    ) throws {
        let origins = ["a.test": "http://a.test"]
        let machine = ScriptMachine(
            script: script, origins: origins, repeats: true, hasScopes: hasScopes, improviser: Echo())
        try Playbook.play(machine, body)
    }

    private func ask(
        _ book: Playbook<ScriptMachine>, _ line: String, _ rest: String = "\r\n"
    ) -> (wire: String, journal: [ServerEvent.Kind]) {
        book.feed(.received(PeerID(0), ByteBuffer(string: "\(line) HTTP/1.1\r\nHost: a\r\n\(rest)")))
        var wire = "", journal: [ServerEvent.Kind] = []
        for output in book.take() {
            switch output {
            case .write(_, let bytes), .writeAhead(_, let bytes): wire += String(buffer: bytes)
            case .journal(let event): journal.append(event.kind)
            default: continue
            }
        }
        return (wire, journal)
    }

    @Test("Each target has turns of its own, and the client's address is known")
    func turns() throws {
        try play { book in
            book.feed(.accepted(PeerID(0), host: "a.test", from: "::1"))
            _ = book.take()
            try book.check("first", ask(book, "GET /i/a").wire.hasSuffix("0 ::1"))
            try book.check("another", ask(book, "GET /i/b").wire.hasSuffix("0 ::1"))
            try book.check("second", ask(book, "GET /i/a").wire.hasSuffix("1 ::1"))
        }
    }

    @Test("What the body decides is asked when it has come")
    func body() throws {
        try play { book in
            book.feed(.accepted(PeerID(0), host: "a.test"))
            _ = book.take()
            try book.check("body", ask(book, "POST /i", "Content-Length: 3\r\n\r\nabc").wire.hasSuffix("\r\n\r\n3"))
        }
    }

    @Test("Steps, routes and secrets; what is not taken is a violation, or for otherwise")
    func places() throws {
        let mine = Route(Exchange(RequestMatch("GET", "/i/mine"), reply: Reply(body: .text("route"))))
        try play(Script(routes: [mine])) { book in
            book.feed(.accepted(PeerID(0), host: "a.test"))
            _ = book.take()
            try book.check("route", ask(book, "GET /i/mine").wire.hasSuffix("route"))
            let journal = ask(book, "GET /i/secret").journal
            try book.check(
                "secret",
                journal.contains { if case .request(let request) = $0 { request.target == "/i/***" } else { false } })
            let (wire, missed) = ask(book, "GET /other")
            try book.check("miss", wire.contains("there is /i"))
            try book.check("violation", missed.contains { if case .violation = $0 { true } else { false } })
        }
        try play(Script(otherwise: Reply(status: 299))) { book in
            book.feed(.accepted(PeerID(0), host: "a.test"))
            _ = book.take()
            try book.check("otherwise", ask(book, "GET /other").wire.hasPrefix("HTTP/1.1 299"))
            try book.check("improvised", ask(book, "GET /i").wire.hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test("A fault that is not reached is noted")
    func unreached() throws {
        try play { book in
            book.feed(.accepted(PeerID(0), host: "a.test"))
            _ = book.take()
            let journal = ask(book, "HEAD /i/cut").journal
            try book.check(
                "noted", journal.contains { if case .noted(let text) = $0 { text.contains("body+1") } else { false } })
            try book.check("violation", !journal.contains { if case .violation = $0 { true } else { false } })
        }
    }

    @Test("A scope may have a script of its own, whose URLs lead back into it, and which can begin anew")
    func ownScript() throws {
        try play(hasScopes: true) { book in
            book.feed(.accepted(PeerID(0), host: "a.test"))
            _ = book.take()
            try book.check("nobody", ask(book, "GET /own").wire.hasSuffix("nil"))
            let first = ask(book, "GET /scope:own/a").wire
            try book.check("location", first.contains("Location: http://a.test/scope:own/b\r\n"))
            try book.check("owed", ask(book, "GET /own").wire.contains("requestCount: 1, unconsumed: [\"GET /a\"]"))
            _ = ask(book, "GET /scope:own/a")
            let done = ask(book, "GET /own").wire
            try book.check("done", done.contains("requestCount: 2, unconsumed: [], violations: []"))
            _ = ask(book, "POST /own", "Content-Length: 0\r\n\r\n")
            let anew = ask(book, "GET /own").wire
            try book.check("anew", anew.contains("requestCount: 0, unconsumed: [\"GET /a (2 times)\"]"))
            try book.check("miss", ask(book, "GET /scope:own/i").wire.hasPrefix("HTTP/1.1 404 "))
            book.feed(.accepted(PeerID(0), host: "a.test"))
        }
    }

    @Test("Turns of more places than are kept count as one")
    func bound() {
        var dice = Dice(seed: 1)
        for place in 0..<Dice.placeLimit { _ = dice.draw(place: place) }
        #expect(dice.draw(place: -5).turn == 0 && dice.draw(place: -6).turn == 1)
        #expect(dice.draw(place: 3).turn == 1)
    }
}
