import HTTPBasics
import MachineContract
import NIOCore
import Testing

@testable import ClientMachines

/// BEHAVIOUR 2.A39, 2.A32-proxy
@Suite struct ProxyLoginTests {
    private static let moment = Moment(instant: .zero, date: UnixTime(seconds: 0), entropy: 1)
    private static let ann = Credential(user: "ann", password: "s3cret")
    private static let tunnel = ProxyLogin.Errand.tunnel(to: Origin(scheme: "https", host: "a.test", port: 443))

    private let kept = ProxyCredentials()
    private let proxy = Proxy(.http, host: "p.test", port: 8080, credential: ann)

    private func head(_ challenges: String...) -> ResponseHead {
        ResponseHead(status: 407, Fields(challenges.map { .init("Proxy-Authenticate", $0) }))
    }

    private func verdict(_ login: inout ProxyLogin, _ head: ResponseHead) throws -> ProxyLogin.Reaction {
        let url = try #require(URLReference("https://a.test"))
        return login.judge(
            head, of: proxy, to: Self.tunnel, kept, Response(head: head, url: url, expectedLength: nil))
    }

    private func answer(_ verdict: ProxyLogin.Reaction) -> Authorization? {
        if case .answer(let authorization) = verdict { authorization } else { nil }
    }

    private func challenge(_ verdict: ProxyLogin.Reaction) -> Challenge? {
        if case .ask(let challenge) = verdict { challenge } else { nil }
    }

    @Test func `what a proxy was named with answers once, then its user is asked, space by space`() throws {
        var login = ProxyLogin()
        let head = head("Digest realm=\"a\", nonce=\"n\"", "Basic realm=\"a\"")
        login.sign(Self.tunnel, nil, else: nil, at: Self.moment)
        let own = try #require(answer(try verdict(&login, head)))
        login.sign(Self.tunnel, own, else: nil, at: Self.moment)
        #expect(login.sent?.value?.hasPrefix("Digest ") == true)
        let asked = try #require(challenge(try verdict(&login, head)))
        #expect(asked.previousFailures == 1 && asked.proposed == nil && asked.method.scheme == .digest)
        // Basic would say no more than Digest did.
        let next = try #require(challenge(login.rejected(asked, of: proxy, to: Self.tunnel)))
        #expect(next.method == .basic && next.proposed == nil)
        if case .giveUp = login.rejected(next, of: proxy, to: Self.tunnel) { return }
        Issue.record("there is no third space")
    }

    @Test func `NTLM goes on with message 2, and begins anew on another connection`() throws {
        var login = ProxyLogin()
        login.sign(Self.tunnel, nil, else: nil, at: Self.moment)
        let own = try #require(answer(try verdict(&login, head("NTLM"))))
        let second = head("NTLM " + Base64.encode(NTLMSample.second))
        for _ in 0..<SignInHandshake.most {
            login.startOver()
            login.sign(Self.tunnel, own, else: nil, at: Self.moment)
            let first = try #require(login.sent?.value)
            let message = login.nextMessage(second)
            let goesOn = try #require(message)
            login.sign(Self.tunnel, goesOn, else: nil, at: Self.moment)
            #expect(try #require(login.sent?.value).count > first.count)
        }
        login.startOver()
        login.sign(Self.tunnel, own, else: nil, at: Self.moment)
        #expect(login.nextMessage(second) == nil)
        #expect(challenge(try verdict(&login, second))?.previousFailures == 1)
    }

    @Test func `a refused inherited answer is nobody's failure`() throws {
        var login = ProxyLogin()
        login.sign(Self.tunnel, nil, else: nil, at: Self.moment)
        let own = try #require(answer(try verdict(&login, head("Basic realm=\"a\""))))
        kept.letIn(own, by: proxy)
        var other = ProxyLogin()
        other.sign(Self.tunnel, nil, else: kept[proxy], at: Self.moment)
        #expect(challenge(try verdict(&other, head("Basic realm=\"a\"")))?.previousFailures == 0)
        #expect(kept[proxy] == nil)
    }

    private func asked(_ verdict: ProxyLogin.Reaction) -> (challenge: Challenge, credential: Credential)? {
        if case .negotiate(let challenge, let credential) = verdict { (challenge, credential) } else { nil }
    }

    /// BEHAVIOUR 2.A37-proxy
    @Test func `the system is asked for a token of whom the proxy was named with`() throws {
        var login = ProxyLogin()
        let head = self.head("Negotiate", "Basic realm=\"a\"")
        login.sign(Self.tunnel, nil, else: nil, at: Self.moment)
        let system = try #require(asked(try verdict(&login, head)))
        #expect(system.credential == Self.ann)
        let next = login.rejected(system.challenge, of: proxy, to: Self.tunnel)
        #expect(answer(next)?.method == .basic)
        login.negotiate.token = Array("token".utf8)
        let authorization = Authorization(Self.ann, for: system.challenge, isKept: true)
        login.sign(Self.tunnel, authorization, else: nil, at: Self.moment)
        #expect(login.sent?.value == "Negotiate " + Base64.encode(Array("token".utf8)))
        // It is said once.
        login.sign(Self.tunnel, authorization, else: nil, at: Self.moment)
        #expect(login.sent?.value == nil)
    }

    @Test func `tickets are tried once, and are nobody's failure`() throws {
        let nobodys = Proxy(.http, host: "p.test", port: 8080)
        let url = try #require(URLReference("https://a.test")), head = self.head("Negotiate")
        var login = ProxyLogin()
        func verdict() -> ProxyLogin.Reaction {
            login.judge(
                head, of: nobodys, to: Self.tunnel, kept, Response(head: head, url: url, expectedLength: nil))
        }
        login.sign(Self.tunnel, nil, else: nil, at: Self.moment)
        let system = try #require(asked(verdict()))
        #expect(system.credential.isTicket)
        (login.negotiate.token, login.negotiate.isNobodysChoice) = ([1], true)
        login.sign(
            Self.tunnel, Authorization(.ticket, for: system.challenge, isKept: true), else: nil, at: Self.moment)
        let question = try #require(challenge(verdict()))
        #expect(question.previousFailures == 0 && login.failures == 0)
    }

    @Test func `a handshake goes on four times`() throws {
        var login = ProxyLogin()
        let head = self.head("Negotiate bW9yZQ==")
        #expect(login.nextToken(head) == nil)
        login.sign(Self.tunnel, nil, else: nil, at: Self.moment)
        let system = try #require(asked(try verdict(&login, head)))
        let authorization = Authorization(Self.ann, for: system.challenge, isKept: true)
        login.sign(Self.tunnel, authorization, else: nil, at: Self.moment)
        for _ in 0..<4 { #expect(login.nextToken(head) == Array("more".utf8)) }
        #expect(login.nextToken(head) == nil)
    }
}

/// Message 2 as a server writes it.
enum NTLMSample {
    static let second: [UInt8] =
        Array("NTLMSSP\0".utf8) + [2, 0, 0, 0, 0, 0, 0, 0, 56, 0, 0, 0, 0x05, 0x82, 0x88, 0] + [1, 2, 3, 4, 5, 6, 7, 8]
        + [UInt8](repeating: 0, count: 8) + [4, 0, 4, 0, 56, 0, 0, 0] + [UInt8](repeating: 0, count: 12)
}
