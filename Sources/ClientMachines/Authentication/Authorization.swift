import HTTPBasics
import MachineContract
import NIOCore

/// A credential that answers challenges: it goes along with whatever is sent to the same origin
/// (BEHAVIOUR 1.C3-credential).
package struct Authorization: Equatable, Sendable, CustomReflectable {
    /// How it is said.
    private enum Scheme: Sendable {
        /// The value of the field.
        case basic(String)
        case digest(DigestAuthorization)
        case ntlm(NTLMUser)
        /// What is said comes from the system.
        case negotiate
    }

    let credential: Credential
    let origin: Origin
    /// The origin is a proxy.
    let isOfProxy: Bool
    let realm: String
    /// Other tasks of the session may use it where it let this one in (BEHAVIOUR 2.A24).
    let isKept: Bool
    /// When the task got it, as `AdmittedSpaces` counts.
    let generation: Int
    private let scheme: Scheme

    init(_ credential: Credential, for challenge: Challenge, isKept: Bool, generation: Int = 0) {
        self.credential = credential
        self.isKept = isKept
        self.generation = generation
        origin = challenge.origin
        isOfProxy = challenge.proxy != nil
        realm = challenge.realm
        switch challenge.method {
        case .basic: scheme = .basic(BasicAuthorization.fieldValue(credential))
        case .digest(let challenge): scheme = .digest(DigestAuthorization(credential, challenge))
        case .ntlm: scheme = .ntlm(NTLMUser(credential))
        case .negotiate: scheme = .negotiate
        }
    }

    var method: AuthenticationScheme {
        switch scheme {
        case .basic: .basic
        case .digest: .digest
        case .ntlm: .ntlm
        case .negotiate: .negotiate
        }
    }

    /// It is not said with each request: it signs a connection in.
    private var isOfConnection: Bool { method == .ntlm || method == .negotiate }

    /// Whose connections it wants: those that it signs in, which serve nobody else (BEHAVIOUR 2.A32).
    var connectionUser: ConnectionUser? {
        isOfConnection ? ConnectionUser(credential, method, isOfProxy: isOfProxy) : nil
    }

    /// Nil if it has to protect the request's body, which is not at hand.
    ///
    /// - Parameter handshake: How far the connection is signed in.
    func signed(_ request: ClientRequest, _ handshake: SignInHandshake?, at moment: Moment) -> SentAuthorization? {
        signed(
            method: request.method, target: RequestWriter.target(of: request.url), body: request.bytesAtHand,
            handshake, at: moment)
    }

    /// - Parameter target: As the request line has it.
    func signed(
        method: String, target: @autoclosure () -> String, body: ByteBufferView?, _ handshake: SignInHandshake?,
        at moment: Moment
    ) -> SentAuthorization? {
        switch scheme {
        case .ntlm(let user): return handshake.map { SentAuthorization(self, $0.value(for: user, at: moment)) }
        case .negotiate: return handshake.map { SentAuthorization(self, $0.token) }
        case .basic(let value): return SentAuthorization(self, value)
        case .digest(let digest):
            let next = digest.next(method: method, target: target(), body: body, entropy: moment.entropy)
            return next.map { SentAuthorization(self, $0.value, $0.use) }
        }
    }

    /// Takes over what the server wants now, if it says that the credential is right and its nonce is not
    /// (BEHAVIOUR 2.A6-stale).
    ///
    /// - Returns: Whether it says so.
    func renew(for offer: ChallengeSelection.Offer) -> Bool {
        guard case .digest(let digest) = scheme, case .digest(let challenge) = offer.method, challenge.isStale,
            challenge.realm == realm
        else { return false }
        digest.renew(challenge)
        return true
    }

    /// The server's word about it, in Authentication-Info (RFC 7616 3.5).
    ///
    /// - Returns: False if it does not know the credential itself, as it claims.
    func heard(_ info: [Parameter], about sent: SentAuthorization) -> Bool {
        guard case .digest(let digest) = scheme, let use = sent.use else { return true }
        func value(_ name: String) -> String? { info.first { $0.name.equalsIgnoringCase(name) }?.value }
        // What protects the answer's body as well can be judged behind it only, and nobody waits for that.
        let protectsBody = value("qop")?.equalsIgnoringCase("auth-int") ?? false
        if let proof = value("rspauth"), !protectsBody, !digest.isProof(proof, of: use) { return false }
        if let next = value("nextnonce") { digest.renew(nonce: next) }
        return true
    }

    /// The paths that it is good for, if one request was let in.
    func paths(behind url: URLReference) -> [String] {
        switch scheme {
        // RFC 7617 2.2: what is as deep as the last element of the path, and deeper.
        // As bytes: a Character may be the slash together with combining marks behind it.
        case .basic:
            [url.path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(Substring(url.path.utf8[...$0])) } ?? ""]
        case .digest(let digest): digest.challenge.paths ?? [""]
        // The connection is signed in, for whatever is asked on it.
        case .ntlm, .negotiate: [""]
        }
    }

    package static func == (one: Self, other: Self) -> Bool {
        one.credential == other.credential && one.origin == other.origin && one.isOfProxy == other.isOfProxy
            && one.realm == other.realm
    }

    package var customMirror: Mirror { Mirror(self, children: ["credential": credential, "realm": realm]) }
}

/// What went along with a request.
struct SentAuthorization: Equatable, Sendable, CustomReflectable {
    let authorization: Authorization
    /// As the field says it; nil where its connection says it.
    let value: String?
    let use: DigestAuthorization.Use?
    /// The session had it from another task.
    var isInherited = false

    init(_ authorization: Authorization, _ value: String?, _ use: DigestAuthorization.Use? = nil) {
        self.authorization = authorization
        self.value = value
        self.use = use
    }

    var customMirror: Mirror { Mirror(self, children: ["authorization": authorization]) }
}
