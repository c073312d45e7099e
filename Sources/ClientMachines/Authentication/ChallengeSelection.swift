import HTTPBasics

/// The protection spaces of a 401 that a delegate can be asked about, the preferred one first.
package enum ChallengeSelection {
    /// One way to authenticate that the server offers and that we know.
    package struct Offer: Hashable, Sendable {
        package var method: Challenge.Method
        package var realm: String

        package init(method: Challenge.Method, realm: String) {
            self.method = method
            self.realm = realm
        }
    }

    /// Empty when the response is no challenge: another status, or no WWW-Authenticate field (BEHAVIOUR 2.A6).
    ///
    /// A second offer of the same space is dropped: rejecting a space must lead to another one. So of several Digest
    /// challenges the first that we can answer counts, as the server prefers it (RFC 7616 3.7).
    package static func challenges(in head: ResponseHead, to request: ClientRequest) -> [Offer] {
        guard head.status == 401 else { return [] }
        return offers(AuthenticateHeader.parse(head.fields.values("WWW-Authenticate")), to: request)
    }

    /// The same of a proxy's 407 (BEHAVIOUR 2.A39), to a request that it sends on, or to a CONNECT.
    package static func challenges(of proxy: Proxy, in head: ResponseHead, to request: ClientRequest) -> [Offer] {
        guard head.status == 407, proxy.kind == .http else { return [] }
        return offers(AuthenticateHeader.parse(head.fields.values("Proxy-Authenticate")), to: request)
    }

    private static func offers(_ challenges: [AuthenticateHeader.Entry], to request: ClientRequest) -> [Offer] {
        var offers: [Offer] = []
        for scheme in preference {
            var realms: Set<String> = []
            for challenge in challenges where challenge.scheme.equalsIgnoringCase(scheme.rawValue) {
                // RFC 7617 demands a realm; without one there is still something to ask.
                let realm = scheme == .ntlm || scheme == .negotiate ? "" : challenge["realm"] ?? ""
                guard let method = method(scheme, challenge, request), realms.insert(realm).inserted else { continue }
                offers.append(Offer(method: method, realm: realm))
            }
        }
        return offers
    }

    /// Message 2 of NTLM, if the response has it.
    static func handshake(in head: ResponseHead, ofProxy: Bool = false) -> NTLMMessages.ServerMessage? {
        guard head.status == (ofProxy ? 407 : 401) else { return nil }
        let field = ofProxy ? "Proxy-Authenticate" : "WWW-Authenticate"
        return token(of: .ntlm, in: head, field).flatMap { NTLMMessages.ServerMessage($0) }
    }

    /// What the server says in this scheme, if it says something.
    static func token(
        of scheme: AuthenticationScheme, in head: ResponseHead, _ field: String = "WWW-Authenticate"
    ) -> [UInt8]? {
        guard head.fields.contains(field) else { return nil }
        let token = AuthenticateHeader.parse(head.fields.values(field)).lazy
            .filter { $0.scheme.equalsIgnoringCase(scheme.rawValue) }.compactMap(\.token68).first
        guard let token, let bytes = Base64.decode(token[...]), bytes.count <= NegotiateCall.mostBytes else {
            return nil
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// A proxy's own proof, which it gives with whatever it answers (BEHAVIOUR 2.A37-proof).
    static func proof(ofProxy head: ResponseHead) -> [UInt8]? {
        token(of: .negotiate, in: head, "Proxy-Authenticate")
            ?? token(of: .negotiate, in: head, "Proxy-Authentication-Info")
    }

    /// Whether a proxy that sends requests on keeps its clients' connections apart, as far as the server: what signs in
    /// a connection is for one of them alone (RFC 4559 6, BEHAVIOUR 2.A37-forwarded).
    static func keepsSessionsApart(_ head: ResponseHead) -> Bool {
        head.fields.values("Proxy-Support").contains { value in
            value.split(separator: ",").contains {
                $0.trimmingWhitespace.equalsIgnoringCase("Session-Based-Authentication")
            }
        }
    }

    /// Best first, in Apple's order: Negotiate, NTLM, Digest, Basic (BEHAVIOUR 2.A21). Schemes that are not listed are
    /// skipped (BEHAVIOUR 2.A23).
    private static let preference: [AuthenticationScheme] = [.negotiate, .ntlm, .digest, .basic]

    /// Nil where we cannot answer.
    private static func method(
        _ scheme: AuthenticationScheme, _ entry: AuthenticateHeader.Entry, _ request: ClientRequest
    ) -> Challenge.Method? {
        switch scheme {
        case .basic: return .basic
        // Whether the system can do it, it says when it is asked.
        case .negotiate: return .negotiate
        case .ntlm: return SignInHandshake.isAvailable ? .ntlm : nil
        case .digest:
            guard let challenge = DigestChallenge(entry, at: request.url) else { return nil }
            // Of a file or a stream nobody knows the hash before it is sent (BEHAVIOUR 2.A6-body).
            if challenge.protection == .requestWithBody, request.bytesAtHand == nil { return nil }
            return .digest(challenge)
        }
    }
}
