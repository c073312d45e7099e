import Digests
import HTTPBasics
import NIOCore

/// Reads an Authorization value of the Digest scheme and proves it with a script's credentials, as a server does.
///
/// What it says holds no response and no name of a user.
package struct DigestVerification {
    private let rule: DigestRule
    private let head: ReceivedHead

    package init(_ rule: DigestRule, _ head: ReceivedHead) {
        self.rule = rule
        self.head = head
    }

    /// Nil if everything fits that can be seen of the head.
    package func difference() -> String? {
        switch fields() {
        case .failure(let failure): "\(head.authorizationField): \(failure.text)"
        case .success(let fields):
            (mismatch(fields) ?? (rule.protection == .requestWithBody ? nil : unproved(fields, bodyHash: nil)))
                .map { "\(head.authorizationField): \($0)" }
        }
    }

    /// The same once the body is over.
    func difference(bodyHash: String) -> String? {
        guard case .success(let fields) = fields() else { return nil }
        return unproved(fields, bodyHash: bodyHash).map { "\(head.authorizationField): \($0)" }
    }

    private func fields() -> Result<DigestFields, Malformed> {
        let values = head.fields.values(head.authorizationField)
        do throws(Malformed) {
            return .success(try DigestFields(try CredentialsField.content(of: values, scheme: "Digest")))
        } catch {
            return .failure(error)
        }
    }

    private func mismatch(_ fields: DigestFields) -> String? {
        let wanted: [(name: String, value: String?, isOpen: Bool)] = [
            ("realm", rule.realm, false), ("nonce", rule.nonce, rule.nonce == nil), ("uri", head.target, false),
            ("algorithm", rule.algorithm?.rawValue, false), ("opaque", rule.opaque, false),
            ("qop", rule.protection == .none ? nil : rule.protection.rawValue, false),
            ("nc", rule.count.map { UInt32(clamping: $0).hexadecimal }, rule.count == nil && rule.protection != .none),
            ("userhash", rule.hidesUser ? "true" : nil, fields["userhash"] == "false"),
        ]
        for (name, value, isOpen) in wanted where !isOpen && fields[name] != value {
            return "\(name): wanted \(value.map(quoted) ?? "none"), got \(fields[name].map(quoted) ?? "none")"
        }
        if fields["nonce"] == nil { return "wanted a nonce, got none" }
        if rule.protection != .none, fields["nc"] == nil || fields["cnonce"] == nil {
            return "wanted nc and cnonce, got \(fields["nc"] == nil ? "no nc" : "no cnonce")"
        }
        return userDiffers(fields) ? "wanted the user of the script, got another one" : nil
    }

    private func userDiffers(_ fields: DigestFields) -> Bool {
        if rule.hidesUser { return fields["username"] != hash("\(rule.credentials.user):\(rule.realm)") }
        if let extended = fields["username*"] {
            let parts = extended.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields["username"] == nil, parts.count == 3, parts[0].equalsIgnoringCase("UTF-8") else { return true }
            return PercentEncoding.decoded(parts[2]) != rule.credentials.user
        }
        return fields["username"] != rule.credentials.user
    }

    /// RFC 7616 3.4.1.
    private func unproved(_ fields: DigestFields, bodyHash: String?) -> String? {
        let nonce = fields["nonce"] ?? "", clientNonce = fields["cnonce"] ?? ""
        var key = hash("\(rule.credentials.user):\(rule.realm):\(rule.credentials.password)")
        if rule.algorithm?.isSession ?? false { key = hash("\(key):\(nonce):\(clientNonce)") }
        let request = hash("\(head.method):\(head.target)\(bodyHash.map { ":\($0)" } ?? "")")
        let count = rule.protection == .none ? "" : "\(fields["nc"] ?? ""):\(clientNonce):\(rule.protection.rawValue):"
        guard fields["response"] == hash("\(key):\(nonce):\(count)\(request)") else {
            return "wanted the response of the script's credentials, got another one"
        }
        return nil
    }

    private func hash(_ text: String) -> String {
        (rule.algorithm ?? .md5).function.hash(text)?.hexadecimal ?? "(no such hash on this system)"
    }
}

/// Hashes a request's body for a response that protects it as well (`auth-int`).
package struct DigestBodyCheck {
    private let verification: DigestVerification
    private let running: RunningHash?

    package init(_ rule: DigestRule, _ head: ReceivedHead) {
        verification = DigestVerification(rule, head)
        running = RunningHash((rule.algorithm ?? .md5).function)
    }

    package func take(_ bytes: ByteBuffer) { bytes.withUnsafeReadableBytes { running?.update($0) } }

    package func finish() -> [String] {
        verification.difference(bodyHash: running?.finish().hexadecimal ?? "").map { [$0] } ?? []
    }
}
