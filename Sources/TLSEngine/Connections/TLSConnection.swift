import COpenSSL
import DequeModule
import NIOCore
import TLSBasics

/// One end of a TLS connection, over bytes and without a socket.
///
/// Give it what came and what happened, then pull events until there are none, then send the ciphertext. Except for
/// `start`, `send` and `sendEnd`, which write at once, all work is done in `nextEvent`: bytes that are not pulled wait.
/// While an answer is awaited nothing is read, not even the peer's end.
///
/// It belongs to one thread at a time: it may move to another, but two may never use it at once.
package final class TLSConnection {
    private enum State {
        /// A client before `start`.
        case idle
        case handshaking
        case askingTrust
        case askingIdentity
        case open
        case peerEnded
        case failed
    }

    /// The most plaintext in one event.
    private static let largestPiece = 256 << 10
    /// With its header (RFC 5246 6.2.3).
    private static let longestRecord = 5 + 1 << 14 + 2048

    let ssl: OpaquePointer
    let wire = TLSWire()
    let dialogue: TLSDialogue
    private let context: ContextHandle
    private var state: State
    private var events: Deque<TLSEvent> = []
    private var memory = PieceMemory()
    private var hasSentEnd = false

    private init(_ context: ContextHandle, _ dialogue: TLSDialogue, _ state: State) throws(TLSSetupError) {
        ERR_clear_error()
        self.context = context
        self.dialogue = dialogue
        self.state = state
        guard let ssl = SSL_new(context.pointer) else { throw .openSSL(OpenSSLReason.take().text) }
        guard let bio = wire.makeBIO() else {
            SSL_free(ssl)
            throw .openSSL(OpenSSLReason.take().text)
        }
        SSL_set_bio(ssl, bio, bio)
        dialogue.attach(to: ssl)
        self.ssl = ssl
    }

    /// A client's end. `host` is asked for by name unless it is an IP literal. `resuming` is offered to the server, who
    /// may decline it.
    package convenience init(
        client context: TLSClientContext, host: String, resuming session: TLSSession?
    ) throws(TLSSetupError) {
        try self.init(context.handle, TLSDialogue(keyLog: context.keyLog), .idle)
        SSL_set_connect_state(ssl)
        if let name = ServerName.forHost(host) { tls_set_host_name(ssl, name) }
        session?.offer(on: ssl)
    }

    package convenience init(server context: TLSServerContext) throws(TLSSetupError) {
        let dialogue = TLSDialogue(
            verdict: context.verdict, applicationProtocols: context.applicationProtocols,
            stapledResponse: context.stapledResponse)
        try self.init(context.handle, dialogue, .handshaking)
        SSL_set_accept_state(ssl)
    }

    deinit { SSL_free(ssl) }

    /// The name that the client has asked the server for.
    package var requestedName: String? { dialogue.requestedName }

    // MARK: In

    /// A client's first flight.
    package func start() {
        guard case .idle = state else { return }
        state = .handshaking
        shakeHands()
    }

    package func receive(_ ciphertext: ByteBuffer) {
        switch state {
        case .peerEnded, .failed: break
        default:
            dialogue.status.read(ciphertext.readableBytesView)
            wire.append(ciphertext)
        }
    }

    /// How much came that was not looked at, and how much of a record whose end has not come.
    package var unreadBytes: Int { wire.unread }
    package var halfOpenBytes: Int { min(wire.unopened, Self.longestRecord) }

    /// The peer has ended its stream.
    package func receiveEnd() {
        wire.hasEnded = true
        dialogue.status.end()
    }

    /// Dropped before the connection is secured, after `sendEnd`, and after a failure.
    package func send(_ plaintext: ByteBuffer) {
        guard canSend, plaintext.readableBytes > 0 else { return }
        // What a record adds at most to its 16 KiB: its header, and an explicit IV, a MAC and padding.
        wire.reserve(plaintext.readableBytes + (plaintext.readableBytes >> 14 + 1) * 96)
        ERR_clear_error()
        let result = plaintext.withUnsafeReadableBytes { bytes in
            var written = 0
            return SSL_write_ex(ssl, bytes.baseAddress, bytes.count, &written)
        }
        if result != 1 { fail(reason: OpenSSLReason.take()) }
    }

    /// close_notify, behind what was sent. The peer may go on to send.
    package func sendEnd() {
        guard canSend else { return }
        hasSentEnd = true
        ERR_clear_error()
        if SSL_shutdown(ssl) < 0 { fail(reason: OpenSSLReason.take()) }
    }

    private var canSend: Bool {
        switch state {
        case .open, .peerEnded: !hasSentEnd
        default: false
        }
    }

    /// Answers `trustAsked`. The peer is told of a refusal by `alert`, or by certificate_unknown if OpenSSL never
    /// refuses a certificate with it.
    package func answerTrust(_ isTrusted: Bool, alert: TLSAlert) {
        guard case .askingTrust = state else { return }
        dialogue.verdict = isTrusted ? .trusted : .refused(alert)
        state = .handshaking
    }

    /// Answers `identityAsked`; nil sends an empty list of certificates.
    package func answerIdentity(_ identity: TLSIdentity?) {
        guard case .askingIdentity = state else { return }
        state = .handshaking
        dialogue.identityAnswer = .given
        guard let identity else { return }
        do throws(TLSSetupError) {
            try IdentityMaterial(identity, context.library).install(on: ssl)
        } catch {
            dialogue.identityAnswer = .unusable(error)
        }
    }

    // MARK: Out

    /// Nil when there is nothing for now.
    package func nextEvent() -> TLSEvent? {
        if events.isEmpty {
            switch state {
            case .handshaking: shakeHands()
            case .open: readPlaintext()
            case .idle, .askingTrust, .askingIdentity, .peerEnded, .failed: break
            }
        }
        return events.popFirst()
    }

    /// What must go to the network now; nil if that is nothing.
    package func takeCiphertext() -> ByteBuffer? { wire.takeOutgoing() }

    // MARK: OpenSSL

    private func shakeHands() {
        ERR_clear_error()
        let result = SSL_do_handshake(ssl)
        if result == 1 {
            state = .open
            wire.unopened = 0
            events.append(.secured(facts))
            return takeSessions()
        }
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ:
            dialogue.flightEnded(ssl)
            if wire.hasEnded { failAtEnd() }
        case SSL_ERROR_WANT_RETRY_VERIFY where dialogue.verdict == .open: break
        case SSL_ERROR_WANT_RETRY_VERIFY:
            state = .askingTrust
            events.append(.trustAsked(dialogue.certificates))
        case SSL_ERROR_WANT_X509_LOOKUP:
            state = .askingIdentity
            events.append(.identityAsked(issuers: issuers))
        case SSL_ERROR_ZERO_RETURN:
            failAtEnd()
        default:
            fail(reason: OpenSSLReason.take())
        }
    }

    private func readPlaintext() {
        // Plaintext is never longer than its ciphertext.
        let capacity = min(wire.unread + wire.unopened + Int(SSL_pending(ssl)), Self.largestPiece)
        var piece = capacity > 0 ? memory.take(capacity) : ByteBuffer()
        var result: Int32 = 1
        if capacity > 0 {
            ERR_clear_error()
            repeat {
                result = readRecord(into: &piece, upTo: capacity)
                // Whether there is more is known without asking OpenSSL, which takes its time to find nothing.
            } while result == 1 && piece.readableBytes < capacity && (wire.unread > 0 || SSL_pending(ssl) > 0)
        }
        let error = result == 1 ? SSL_ERROR_NONE : SSL_get_error(ssl, result)
        takeSessions()
        if piece.readableBytes > 0 {
            dialogue.peerAnswered()
            memory.keep(piece)
            events.append(.received(piece))
        }
        switch error {
        case SSL_ERROR_NONE:
            if capacity == 0 && wire.hasEnded { failAtEnd() }
        case SSL_ERROR_WANT_READ:
            // All that was read was whole records, of which the last ones were no plaintext.
            if SSL_has_pending(ssl) == 0 { wire.unopened = 0 }
            if wire.hasEnded { failAtEnd() }
        case SSL_ERROR_ZERO_RETURN:
            state = .peerEnded
            wire.dropUnread()
            events.append(.ended)
        default:
            fail(reason: OpenSSLReason.take())
        }
    }

    private func readRecord(into piece: inout ByteBuffer, upTo capacity: Int) -> Int32 {
        var result: Int32 = 0
        let space = capacity - piece.readableBytes
        piece.writeWithUnsafeMutableBytes(minimumWritableBytes: space) { bytes in
            var read = 0
            result = SSL_read_ex(ssl, bytes.baseAddress, space, &read)
            return result == 1 ? read : 0
        }
        if result == 1 && SSL_pending(ssl) == 0 { wire.unopened = 0 }
        return result
    }

    /// The peer's stream has ended, and everything before its end is read.
    private func failAtEnd() {
        let isSecured = if case .open = state { true } else { false }
        fail(.atEnd(dialogue, isSecured: isSecured, isForeign: wire.isForeign))
    }

    private func fail(reason: OpenSSLReason) {
        let isForeign = if case .handshaking = state { wire.isForeign } else { false }
        fail(TLSFailure(reason, dialogue, isForeign: isForeign))
    }

    /// After the peer's end there is nobody to tell.
    private func fail(_ failure: TLSFailure) {
        if case .peerEnded = state {
            hasSentEnd = true
            return
        }
        state = .failed
        wire.dropUnread()
        events.append(.failed(failure))
    }

    private func takeSessions() {
        guard !dialogue.sessions.isEmpty else { return }
        for session in dialogue.sessions { events.append(.ticket(session)) }
        dialogue.sessions = []
    }

    private var facts: TLSFacts {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        let chosen = UnsafeBufferPointer(start: name, count: Int(count))
        return TLSFacts(
            version: TLSVersion(rawValue: UInt16(truncatingIfNeeded: SSL_version(ssl))) ?? .tls12,
            cipherSuite: SSL_CIPHER_get_protocol_id(SSL_get_current_cipher(ssl)),
            applicationProtocol: chosen.isEmpty ? nil : String(decoding: chosen, as: UTF8.self),
            isResumed: SSL_session_reused(ssl) == 1)
    }

    private var issuers: [[UInt8]] {
        let names = SSL_get0_peer_CA_list(ssl)
        return (0..<tls_names_count(names)).compactMap { index in
            tls_names_at(names, index).map { name in CertificateHandle.encoded { i2d_X509_NAME(name, $0) } }
        }
    }
}
