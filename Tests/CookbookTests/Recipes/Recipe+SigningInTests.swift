import Digests
import HTTPBasics
import ServerScript
import Testing

@testable import Cookbook

@Suite("Signing in to the cookbook")
struct RecipeSigningInTests {
    /// Answers a challenge as a client does.
    private func answer(
        _ reply: Reply?, target: String, password: String = "pw", algorithm: String, qop: String, count: Int = 1,
        body: String = ""
    ) throws -> (String, String) {
        guard case .digest(let digest) = try #require(reply?.challenges.first) else {
            Issue.record("no challenge of Digest")
            return ("", "")
        }
        let function: HashFunction =
            algorithm.hasPrefix("MD5") ? .md5 : algorithm.contains("512") ? .sha512t256 : .sha256
        let hash = { (text: String) in function.hash(text)?.hexadecimal ?? "" }
        var key = hash("ann:\(digest.realm):\(password)")
        if algorithm.hasSuffix("-sess") { key = hash("\(key):\(digest.nonce):c") }
        let request = hash("GET:\(target)" + (qop == "auth-int" ? ":\(hash(body))" : ""))
        let digits = String(count, radix: 16)
        let nc = String(repeating: "0", count: 8 - digits.count) + digits
        let response = hash("\(key):\(digest.nonce):\(nc):c:\(qop):\(request)")
        let text =
            "Digest username=\"ann\", realm=\"\(digest.realm)\", nonce=\"\(digest.nonce)\", uri=\"\(target)\", "
            + "algorithm=\(algorithm), qop=\(qop), nc=\(nc), cnonce=\"c\", response=\"\(response)\", "
            + "opaque=\"\(digest.opaque ?? "")\""
        return ("Authorization", text)
    }

    @Test(arguments: ["MD5", "MD5-sess", "SHA-256", "SHA-256-sess", "SHA-512-256"], ["auth", "auth-int", "both"])
    func `a proof of the password is let in`(algorithm: String, qop: String) throws {
        let target = "/digest-auth/\(qop)/ann/pw/\(algorithm)"
        let first = Asked("GET", target)
        #expect(first.status == 401)
        let used = qop == "both" ? "auth-int" : qop
        let right = try answer(first.reply, target: target, algorithm: algorithm, qop: used, body: "x")
        let second = Asked("GET", target, fields: [right], body: "x", draw: 8)
        #expect(second.status == 200 && second.compact == #"{"authenticated":true,"user":"ann"}"#, "\(second.text)")
        let wrong = try answer(first.reply, target: target, password: "no", algorithm: algorithm, qop: used, body: "x")
        #expect(Asked("GET", target, fields: [wrong], body: "x").status == 401)
        if used == "auth-int" { #expect(Asked("GET", target, fields: [right], body: "y").status == 401) }
    }

    @Test("A nonce that was used too often is stale, and so is one of another server")
    func stale() throws {
        let target = "/digest-auth/auth/ann/pw/SHA-256/2"
        let first = Asked("GET", target)
        let isStale = { (asked: Asked) in
            guard case .digest(let digest)? = asked.reply?.challenges.first else { return false }
            return digest.isStale
        }
        #expect(!isStale(first))
        for count in 1...3 {
            let field = try answer(first.reply, target: target, algorithm: "SHA-256", qop: "auth", count: count)
            let asked = Asked("GET", target, fields: [field])
            #expect(asked.status == (count == 3 ? 401 : 200) && isStale(asked) == (count == 3))
        }
        let field = try answer(first.reply, target: target, algorithm: "SHA-256", qop: "auth")
        let other = Asked("GET", target, fields: [field], seed: 1)
        #expect(other.status == 401)
    }

    @Test("NTLM is offered, then challenged")
    func ntlm() {
        #expect(Asked("GET", "/ntlm/ann/pw").reply?.challenges == [.ntlm(.offer)])
        let first = "NTLM TlRMTVNTUAABAAAABoIIAAAAAAAAAAAAAAAAAAAAAAA="
        let asked = Asked("GET", "/ntlm/ann/pw", fields: [("Authorization", first)])
        guard case .ntlm(.message)? = asked.reply?.challenges.first else {
            Issue.record("\(String(describing: asked.reply?.challenges))")
            return
        }
    }
}
