import Digests
import HTTPBasics
import NIOCore

/// The Digest scheme (RFC 7616 3.4): a credential, and what its server's nonce was used for so far. Requests of one
/// session that are answered for the same challenge share it, so that each count is used once.
///
/// Confined to its client machine.
package final class DigestAuthorization: @unchecked Sendable, CustomReflectable {
    // Safety of the unchecked conformance: touched by its client machine only.

    /// What one request was sent with.
    package struct Use: Hashable, Sendable, CustomReflectable {
        let target: String
        fileprivate let nonce: String
        fileprivate let count: String
        fileprivate let clientNonce: String
        /// H(A1) as it was then. As good as the password.
        fileprivate let key: String

        package var customMirror: Mirror { Mirror(self, children: ["target": target]) }
    }

    private let credential: Credential
    package private(set) var challenge: DigestChallenge
    private var nonce: String
    private var count: UInt32 = 0
    private var clientNonce = ""
    /// H(A1), the same for all requests with one nonce.
    private var key = ""

    package init(_ credential: Credential, _ challenge: DigestChallenge) {
        self.credential = credential
        self.challenge = challenge
        nonce = challenge.nonce
    }

    package var customMirror: Mirror { Mirror(self, children: ["credential": credential]) }

    /// The server wants this nonce from now on.
    func renew(nonce: String) {
        // The same nonce goes on to count.
        guard nonce != self.nonce else { return }
        self.nonce = nonce
        count = 0
    }

    /// The same credential, and another challenge of the same space.
    func renew(_ challenge: DigestChallenge) {
        self.challenge = challenge
        renew(nonce: challenge.nonce)
    }

    /// The value of an Authorization field for the next request.
    ///
    /// - Parameters:
    ///   - target: As the request line has it.
    ///   - body: Nil if it is not at hand.
    ///   - entropy: For the client's nonce.
    /// - Returns: Nil if the server demands that the body is protected, and it is not at hand.
    package func next(method: String, target: String, body: ByteBufferView?, entropy: UInt64) -> (
        value: String, use: Use
    )? {
        var request = "\(method):\(target)"
        if challenge.protection == .requestWithBody {
            guard let body else { return nil }
            request += ":" + hash(body)
        }
        if count == 0 {
            clientNonce = entropy.hexadecimal
            key = makeKey()
        }
        count &+= 1
        let use = Use(target: target, nonce: nonce, count: count.hexadecimal, clientNonce: clientNonce, key: key)
        return (value(for: use, response(to: request, use)), use)
    }

    /// Whether the server has proved that it knows the credential as well (RFC 7616 3.5).
    func isProof(_ text: String, of use: Use) -> Bool { response(to: ":" + use.target, use) == text.lowercased() }

    private func makeKey() -> String {
        let key = hash("\(credential.user):\(challenge.realm):\(credential.password)".utf8)
        return challenge.isSession ? hash("\(key):\(nonce):\(clientNonce)".utf8) : key
    }

    private func response(to request: String, _ use: Use) -> String {
        let second = hash(request.utf8)
        guard let protection = challenge.protection else { return hash("\(use.key):\(use.nonce):\(second)".utf8) }
        return hash("\(use.key):\(use.nonce):\(use.count):\(use.clientNonce):\(protection.rawValue):\(second)".utf8)
    }

    private func hash(_ bytes: some Sequence<UInt8>) -> String {
        challenge.function.hash(bytes)?.hexadecimal ?? ""
    }

    /// What is quoted and what is not is fixed: RFC 7616 3.4.
    private func value(for use: Use, _ response: String) -> String {
        var value = "Digest \(userName), realm=\(challenge.realm.quotedString), nonce=\(use.nonce.quotedString), "
        value += "uri=\(use.target.quotedString), response=\"\(response)\""
        if let algorithm = challenge.algorithm { value += ", algorithm=\(algorithm)" }
        if let opaque = challenge.opaque { value += ", opaque=\(opaque.quotedString)" }
        if let protection = challenge.protection {
            value += ", qop=\(protection.rawValue), nc=\(use.count), cnonce=\"\(use.clientNonce)\""
        } else if challenge.isSession {
            value += ", cnonce=\"\(use.clientNonce)\""
        }
        return challenge.hidesUser ? value + ", userhash=true" : value
    }

    private var userName: String {
        if challenge.hidesUser { return "username=\"\(hash("\(credential.user):\(challenge.realm)".utf8))\"" }
        guard challenge.isUTF8, !credential.user.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) else {
            return "username=\(credential.user.quotedString)"
        }
        return "username*=\(PercentEncoding.extendedValue(credential.user))"
    }
}
