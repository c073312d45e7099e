import Digests
import HTTPBasics
import NIOCore
import ServerScript

/// Whoever knows what the URL says is let in.
extension Recipe {
    static let logins: [Recipe] = [
        Recipe("/basic-auth/{user}/{password}", "Basic, else 401.", example: "-u ann:s3cret /basic-auth/ann/s3cret") {
            knowsBasic($0) ? welcome($0["user"]) : .status(401)
        },
        Recipe(
            "/hidden-basic-auth/{user}/{password}", "The same, but 404 in place of 401.",
            example: "-u ann:s3cret /hidden-basic-auth/ann/s3cret"
        ) { knowsBasic($0) ? welcome($0["user"]) : .bare(404) },
        Recipe("/bearer", "Any Bearer token, else 401.", example: "-H 'Authorization: Bearer t0ken' /bearer") { call in
            let value = call.fields.first("Authorization") ?? ""
            guard value.hasPrefix("Bearer ") else { return .bare(401, [("WWW-Authenticate", "Bearer")]) }
            let token = AnswerJSON.text(String(value.dropFirst("Bearer ".count)))
            return .json(.object([("authenticated", .bool(true)), ("token", token)]))
        },
        digest(
            "/digest-auth/{qop}/{user}/{password}", "Digest with MD5; `qop` is auth, auth-int, or any word for both."),
        digest(
            "/digest-auth/{qop}/{user}/{password}/{algorithm}",
            "Digest with MD5, SHA-256 or SHA-512-256, and `-sess` of each."),
        digest(
            "/digest-auth/{qop}/{user}/{password}/{algorithm}/{stale_after}",
            "The same; a nonce is stale after so many uses, or `never`."),
        ntlm("/ntlm/{user}/{password}"), ntlm("/ntlm/{user}/{password}/{domain}"),
    ]

    private static func welcome(_ user: String) -> Reply {
        .json(.object([("authenticated", .bool(true)), ("user", .text(user))]))
    }

    private static func knowsBasic(_ call: RecipeCall) -> Bool {
        let values = call.fields.values("Authorization")
        guard values.count == 1, let value = values.first, Secrets.scheme(of: value).equalsIgnoringCase("Basic"),
            let bytes = Base64.decode(value.dropFirst("Basic ".count).trimmingWhitespace)
        else { return false }
        return bytes == Array("\(call["user"]):\(call["password"])".utf8)
    }

    private static func digest(_ pattern: String, _ about: String) -> Recipe {
        let example = pattern.replacing("{qop}", with: "auth").replacing("{user}", with: "ann")
            .replacing("{password}", with: "s3cret").replacing("{algorithm}", with: "SHA-256")
            .replacing("{stale_after}", with: "2")
        return Recipe(
            pattern, about, example: "--digest -u ann:s3cret \(example)",
            differs: "no cookies and no `require-cookie`; SHA-512-256 in place of SHA-512, which RFC 7616 has not",
            awaitsBody: true
        ) { call throws(CookbookMistake) in
            let login = try DigestLogin(call)
            return login.isKnown ? welcome(call["user"]) : login.challenge
        }
    }

    private static func ntlm(_ pattern: String) -> Recipe {
        let example = pattern.replacing("{user}", with: "ann").replacing("{password}", with: "s3cret")
            .replacing("{domain}", with: "LAB")
        let user = pattern.contains("{domain}") ? "LAB/ann" : "ann"
        return Recipe(
            pattern, "NTLM, which signs in a connection.", example: "--ntlm -u \(user):s3cret \(example)",
            differs: "httpbin has it not"
        ) { call in
            let credentials = BasicCredentials(user: call["user"], password: call["password"])
            if NTLMVerification(.proves(credentials, domain: call["domain"]), call.head).difference() == nil {
                return welcome(call["user"])
            }
            let begins = NTLMVerification(.begins, call.head).difference() == nil
            // With the time in it a client has to vouch for the whole of it (MIC), which curl does not.
            let message = ServerNTLM.message(nonce: call.request.draw, target: "COOKBOOK", hasTime: false)
            return Reply(status: 401, challenges: [.ntlm(begins ? message : .offer)])
        }
    }
}

/// A request to a page behind Digest (RFC 7616). Nothing is remembered: a nonce proves by itself that it is ours.
struct DigestLogin {
    private static let realm = "Fake Realm"

    private let call: RecipeCall
    private let algorithm: DigestRule.ProofAlgorithm
    private let protections: [DigestRule.Protection]
    private let uses: Int
    private let fields: DigestFields?

    init(_ call: RecipeCall) throws(CookbookMistake) {
        self.call = call
        let name = call.captures["algorithm"] ?? "MD5"
        guard let algorithm = DigestRule.ProofAlgorithm.allCases.first(where: { $0.rawValue == name }) else {
            let all = DigestRule.ProofAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
            throw CookbookMistake("algorithm: '\(CookbookNumber.excerpt(name))'; allowed: \(all)")
        }
        self.algorithm = algorithm
        switch call["qop"] {
        case "auth": protections = [.request]
        case "auth-int": protections = [.requestWithBody]
        default: protections = [.request, .requestWithBody]
        }
        let isLimited = call.captures["stale_after"].map { $0 != "never" } ?? false
        uses = isLimited ? try call.whole("stale_after", 0...Int(Int32.max)) : .max
        let values = call.fields.values("Authorization")
        let value = values.count == 1 ? values[0] : ""
        let isDigest = Secrets.scheme(of: value).equalsIgnoringCase("Digest")
        fields = isDigest ? try? DigestFields(value.dropFirst("Digest".count)) : nil
    }

    var isKnown: Bool { isProved && isFresh }

    var challenge: Reply {
        let digest = ServerDigest(
            realm: DigestLogin.realm, nonce: call.request.draw.hexadecimal + proof(of: call.request.draw),
            opaque: opaque, algorithm: algorithm.rawValue, protections: protections.map(\.rawValue),
            isStale: isProved && !isFresh)
        return Reply(status: 401, challenges: [.digest(digest)])
    }

    private var opaque: String { proof(of: 0) }

    private func proof(of number: UInt64) -> String { call.request.proof(of: number).hexadecimal }

    /// One of ours, and not used too often. A proof with another one is that of somebody who knows the password.
    private var isFresh: Bool {
        guard let nonce = fields?["nonce"], nonce.utf8.count == 32,
            let number = UInt64(nonce.prefix(16), radix: 16), nonce.dropFirst(16) == proof(of: number)
        else { return false }
        return fields?["nc"].flatMap { Int($0, radix: 16) }.map { $0 <= uses } ?? false
    }

    private var isProved: Bool {
        guard let fields, let protection = protections.first(where: { $0.rawValue == fields["qop"] }) else {
            return false
        }
        // RFC 7616 3.4: MD5 is meant where none is named.
        let named = algorithm == .md5 && fields["algorithm"] == nil ? nil : algorithm
        let rule = DigestRule(
            BasicCredentials(user: call["user"], password: call["password"]), realm: DigestLogin.realm,
            algorithm: named, protection: protection, opaque: opaque)
        guard DigestVerification(rule, call.head).difference() == nil else { return false }
        guard protection == .requestWithBody else { return true }
        // A body that is not kept as a whole proves nothing.
        guard call.body.prefix.count == call.body.count else { return false }
        let check = DigestBodyCheck(rule, call.head)
        check.take(ByteBuffer(bytes: call.body.prefix))
        return check.finish().isEmpty
    }
}
