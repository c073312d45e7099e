import ClientMachines
import HTTPBasics
import NIOCore
import ServerScript

/// Challenges of the Digest scheme, and what answers them: a line with the value of WWW-Authenticate, a user, a
/// password, a request target. The client answers what it can, and the server, which shares no code with it, proves it.
enum DigestFuzz {
    static func check(_ bytes: ByteBuffer) throws {
        let lines = String(buffer: bytes).split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false)
        _ = try? DigestFields(lines[0])
        let credential = Credential(
            user: String(lines.dropFirst().first ?? ""), password: String(lines.dropFirst(2).first ?? ""))
        let target = "/" + (lines.dropFirst(3).first ?? "")
        guard let url = URLReference("http://h\(target)") else { return }
        for entry in AuthenticateHeader.parse([String(lines[0])]) {
            guard let challenge = DigestChallenge(entry, at: url) else { continue }
            let digest = DigestAuthorization(credential, challenge)
            for count in 1...2 { try check(digest, credential, count, RequestWriter.target(of: url)) }
        }
    }

    private static func check(
        _ digest: DigestAuthorization, _ credential: Credential, _ count: Int, _ target: String
    ) throws {
        guard let next = digest.next(method: "GET", target: target, body: [], entropy: 7) else {
            throw Violation(description: "no answer with the body at hand")
        }
        let challenge = digest.challenge
        // The server of a script knows algorithms by their proper names alone.
        let algorithm = challenge.algorithm.map { DigestRule.ProofAlgorithm(rawValue: $0) }
        if case .some(nil) = algorithm { return }
        let rule = DigestRule(
            BasicCredentials(user: credential.user, password: credential.password), realm: challenge.realm,
            nonce: challenge.nonce, count: challenge.protection == nil ? nil : count, algorithm: algorithm ?? nil,
            protection: challenge.protection.flatMap { DigestRule.Protection(rawValue: $0.rawValue) } ?? .none,
            opaque: challenge.opaque, hidesUser: challenge.hidesUser)
        let head = ReceivedHead(
            method: "GET", target: target, fields: Fields([Fields.Field("Authorization", next.value)]))
        let verification = DigestVerification(rule, head)
        try demand(verification.difference(), equals: nil, "a proof that proves nothing: \(next.value)")
        if challenge.protection == .requestWithBody {
            try demand(
                DigestBodyCheck(rule, head).finish(), equals: [],
                "a proof of the body that proves nothing: \(next.value)")
        }
    }
}
