import HTTPBasics

/// Which token of Negotiate the field of a request's credentials must carry: as a scenario's own GSSAPI makes it.
package struct NegotiateRule: Hashable, Sendable {
    package var user: String
    /// Counted from one.
    package var round: Int

    package init(user: String, round: Int = 1) {
        self.user = user
        self.round = round
    }
}

/// Reads a credentials value of Negotiate and compares it with the only token that the scenario's GSSAPI can have made:
/// for this user, for the service of the host that the request names or of the proxy that it goes to, in answer to what
/// the server or proxy has said last on the same connection.
package struct NegotiateVerification {
    private let rule: NegotiateRule
    private let head: ReceivedHead

    package init(_ rule: NegotiateRule, _ head: ReceivedHead) {
        self.rule = rule
        self.head = head
    }

    /// Nil if it fits.
    package func difference() -> String? { problem().map { "\(head.authorizationField): \($0)" } }

    private func problem() -> String? {
        let values = head.fields.values(head.authorizationField)
        let token: [UInt8]
        do throws(Malformed) {
            token = try CredentialsField.token(of: values, scheme: "Negotiate", "a token of Negotiate")
        } catch {
            return error.text
        }
        let got = String(decoding: token, as: UTF8.self)
        if got == wanted { return nil }
        return got.contains("round=\(rule.round)")
            ? "wanted the token of the script's user for this host, got another one"
            : "wanted the token of round \(rule.round), got another one"
    }

    private var wanted: String {
        let host = head.proxy ?? String((head.fields.first("Host") ?? "").prefix { $0 != ":" })
        let first = "user=\(rule.user); service=HTTP@\(host); round=\(rule.round)"
        return rule.round == 1 ? first : "\(first); after=\(head.negotiated ?? "")"
    }
}
