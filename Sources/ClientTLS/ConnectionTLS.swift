import ClientMachines
import HTTPBasics
import NIOCore
import TLSBasics
import TLSEngine

/// The layer between one connection's transport and the machine: takes what either side says, and gives the machine's
/// next inputs and the transport's next bytes. The same file in both worlds. Confined to the session's thread.
package final class ConnectionTLS {
    private let id: ConnectionID
    private let route: ConnectionRoute
    private let end: TLSConnection
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
        _ id: ConnectionID, _ route: ConnectionRoute, _ end: TLSConnection, _ ticket: TLSSession?,
        of session: SessionTLS, _ generation: Int
    ) {
        self.ticket = ticket
        self.generation = generation
        self.id = id
        self.route = route
        self.end = end
        self.session = session
    }

    // MARK: - From the transport

    package func received(_ ciphertext: ByteBuffer) { end.receive(ciphertext) }

    package func receivedEnd() { end.receiveEnd() }

    /// Nothing more should be read from the transport until this has changed: what came and could not be read yet is as
    /// much as may lie here, which happens only while a question is open (BEHAVIOUR 2.B1-bound), or its own answers are
    /// not sent (2.B1-answers).
    package var isFull: Bool { end.unreadBytes > Self.mostBytes || isAheadOfTransport }

    /// The transport says when all that it was given is sent.
    package var isAheadOfTransport: Bool { unsentAnswers > Self.mostBytes }

    package func allIsSent() { unsentAnswers = 0 }

    private static let mostBytes = 64 << 10

    /// Whether all that came was for this layer alone, such as a ticket: an unused connection still is what it was.
    package func isUntouched() -> Bool { nextInput() == nil && unopenedBytes == 0 }

    /// What came and is no plaintext yet.
    package var unopenedBytes: Int { end.unreadBytes + end.halfOpenBytes }

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
                session.forgetTickets(of: route)
                end.answerTrust(false, alert: problem.reason.alert)
            }
        }
    }

    private func evaluate(at date: UnixTime) -> Result<[CertificateBytes], TrustProblem> {
        TrustEvaluation(
            peer ?? PeerCertificates(chain: []), host: route.origin.host, store: session.store, date: date
        ).result()
    }

    package func present(_ identity: TLSIdentity?) { end.answerIdentity(identity) }

    package func write(_ plaintext: ByteBuffer) { end.send(plaintext) }

    package func close() { end.sendEnd() }

    // MARK: - What follows

    /// What the machine has said.
    package func takeCiphertext() -> ByteBuffer? { end.takeCiphertext() }

    /// What nobody but the layer itself has said.
    package func takeAnswers() -> ByteBuffer? {
        let answers = end.takeCiphertext()
        unsentAnswers += answers?.readableBytes ?? 0
        return answers
    }

    package func nextInput() -> ClientInput? {
        while !isOver, let event = end.nextEvent() {
            if let input = input(of: event) { return input }
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
            if facts.isResumed, let ticket, ticket.isForMany { session.keep(ticket, for: route, of: generation) }
            return .secured(id, facts)
        case .received(let bytes): return .received(id, bytes)
        case .ticket(let ticket):
            session.keep(ticket, for: route, of: generation)
            return nil
        case .ended: return isSecured ? .inputClosed(id) : nil
        case .failed(let failure):
            isOver = true
            // As if it had broken: what was received before stays good, and nothing counts as complete (2.B1-cut).
            if failure.kind == .truncated { return .closed(id) }
            return .secureFailed(id, SecureFailure(failure, problem: problem, peer: peer))
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
