import ClientMachines
import HTTPBasics
import NIOCore
import TLSBasics
import TLSEngine

/// The layer between one connection's transport and the machine: takes what either side says, and gives the machine's
/// next inputs and the transport's next bytes. Through a proxy that speaks TLS there are two: the server's layer lies
/// within the proxy's, and what follows knows the inner one alone. The same file in both worlds. Confined to the
/// session's thread.
package final class ConnectionTLS {
    private let id: ConnectionID
    private let with: SecuredPeer
    private let end: TLSConnection
    /// What protects what this one makes, where that does not go to the transport as it is.
    private let outer: ConnectionTLS?
    /// What the server was offered to go on with.
    private let ticket: TLSSession?
    private unowned let session: SessionTLS
    private let generation: Int
    private var peer: PeerCertificates?
    private var problem: TrustProblem?
    private var isSecured = false
    /// At most so many bytes of its answers are not sent.
    private var unsentAnswers = 0
    /// The machine was told of the end: it hears nothing more.
    private var isOver = false

    init(
        _ id: ConnectionID, _ peer: SecuredPeer, _ end: TLSConnection, _ ticket: TLSSession?,
        within outer: ConnectionTLS?, of session: SessionTLS, _ generation: Int
    ) {
        self.outer = outer
        self.ticket = ticket
        self.generation = generation
        self.id = id
        with = peer
        self.end = end
        self.session = session
    }

    // MARK: - From the transport

    package func received(_ ciphertext: ByteBuffer) {
        if let outer { outer.received(ciphertext) } else { end.receive(ciphertext) }
    }

    package func receivedEnd() {
        if let outer { outer.receivedEnd() } else { end.receiveEnd() }
    }

    /// What the layer around it has opened; what it says else is the end of both.
    private func take(_ input: ClientInput) -> ClientInput? {
        switch input {
        case .received(_, let bytes): end.receive(bytes)
        case .inputClosed: end.receiveEnd()
        default:
            isOver = true
            return input
        }
        return nil
    }

    /// Nothing more should be read from the transport until this has changed: what came and could not be read yet is as
    /// much as may lie here, which happens only while a question is open (BEHAVIOUR 2.B1-bound), or its own answers are
    /// not sent (2.B1-answers).
    package var isFull: Bool { unreadBytes > Self.mostBytes || isAheadOfTransport }

    private var unreadBytes: Int { end.unreadBytes + (outer?.unreadBytes ?? 0) }

    /// The transport says when all that it was given is sent.
    package var isAheadOfTransport: Bool { unsentAnswers > Self.mostBytes }

    package func allIsSent() { unsentAnswers = 0 }

    private static let mostBytes = 64 << 10

    /// Whether all that came was for this layer alone, such as a ticket: an unused connection still is what it was.
    package func isUntouched() -> Bool { nextInput() == nil && unopenedBytes == 0 }

    /// What came and is no plaintext yet.
    package var unopenedBytes: Int { end.unreadBytes + end.halfOpenBytes + (outer?.unopenedBytes ?? 0) }

    // MARK: - From the machine

    /// - Parameter date: The world's: what certificates are judged by.
    package func decide(_ decision: TrustDecision, at date: UnixTime) {
        switch decision {
        case .accept: end.answerTrust(true, alert: .closeNotify)
        case .evaluate:
            switch evaluate(at: date) {
            case .success: end.answerTrust(true, alert: .closeNotify)
            case .failure(let problem):
                self.problem = problem
                session.forgetTickets(of: with)
                end.answerTrust(false, alert: problem.reason.alert)
            }
        }
    }

    private func evaluate(at date: UnixTime) -> Result<[CertificateBytes], TrustProblem> {
        TrustEvaluation(
            peer ?? PeerCertificates(chain: []), host: with.origin.host, store: session.store, date: date
        ).result()
    }

    package func present(_ identity: TLSIdentity?) { end.answerIdentity(identity) }

    package func write(_ plaintext: ByteBuffer) { end.send(plaintext) }

    /// Each layer says so, the inner one first.
    package func close() {
        end.sendEnd()
        guard let outer else { return }
        wrap(for: outer)
        outer.close()
    }

    // MARK: - What follows

    /// What the machine has said.
    package func takeCiphertext() -> ByteBuffer? {
        guard let outer else { return end.takeCiphertext() }
        wrap(for: outer)
        return outer.takeCiphertext()
    }

    private func wrap(for outer: ConnectionTLS) {
        if let ciphertext = end.takeCiphertext() { outer.write(ciphertext) }
    }

    /// What nobody but the layer itself has said.
    package func takeAnswers() -> ByteBuffer? {
        let answers = takeCiphertext()
        unsentAnswers += answers?.readableBytes ?? 0
        return answers
    }

    package func nextInput() -> ClientInput? {
        while !isOver {
            if let event = end.nextEvent() {
                if let input = input(of: event) { return input }
            } else if let outer, end.unreadBytes == 0, let opened = outer.nextInput() {
                // While this one asks something, what follows waits in the outer one.
                if let input = take(opened) { return input }
            } else {
                return nil
            }
        }
        return nil
    }

    private func input(of event: TLSEvent) -> ClientInput? {
        switch event {
        case .trustAsked(let peer):
            self.peer = peer
            return .trustAsked(id, peer)
        case .identityAsked(let issuers): return .identityAsked(id, issuers: issuers)
        case .secured(let facts):
            isSecured = true
            if facts.isResumed, let ticket, ticket.isForMany { session.keep(ticket, for: with, of: generation) }
            return .secured(id, facts)
        case .received(let bytes): return .received(id, bytes)
        case .ticket(let ticket):
            session.keep(ticket, for: with, of: generation)
            return nil
        case .ended: return isSecured ? .inputClosed(id) : nil
        case .failed(let failure):
            isOver = true
            // As if it had broken: what was received before stays good, and nothing counts as complete (2.B1-cut).
            if failure.kind == .truncated { return .closed(id) }
            return .secureFailed(id, SecureFailure(failure, problem: problem, peer: peer, proxy: with.proxy))
        }
    }
}

extension TrustProblem.Reason {
    /// What the server is told (RFC 8446 6.2).
    fileprivate var alert: TLSAlert {
        switch self {
        case .expired, .notYetValid: .certificateExpired
        case .selfSigned, .unknownAuthority, .incomplete, .noAnchors: .unknownCA
        case .revoked: .certificateRevoked
        case .wrongUsage: .unsupportedCertificate
        case .otherHost, .weak, .malformed: .badCertificate
        case .revocationUnknown: .badCertificateStatusResponse
        }
    }
}
