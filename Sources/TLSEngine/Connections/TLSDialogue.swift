import COpenSSL
import TLSBasics

/// What OpenSSL asks and tells of one connection through its callbacks, and what it is answered.
final class TLSDialogue {
    enum TrustAnswer: Hashable, Sendable {
        case open
        case asked
        case trusted
        case refused(TLSAlert)
    }

    enum IdentityAnswer: Hashable, Sendable {
        case open
        case asked
        /// The connection has an identity now, or is to go on without one.
        case given
        case unusable(TLSSetupError)
    }

    var verdict: TrustAnswer
    var identityAnswer = IdentityAnswer.open
    /// A server's.
    let applicationProtocols: [[UInt8]]
    let keyLog: (@Sendable (String) -> Void)?
    /// A server's: an OCSP response for clients that ask for one.
    let stapledResponse: [UInt8]?
    /// What came from a server so far, of TLS 1.2 or below, of the revocation of its certificate.
    var status = CertificateStatusReader()
    /// Those to which `verdict` is the answer.
    fileprivate(set) var certificates = PeerCertificates(chain: [])
    fileprivate(set) var ownCertificate = TLSFailure.OwnCertificate.notRequested
    /// The last alert that was sent.
    fileprivate(set) var sentAlert: TLSAlert?
    fileprivate(set) var requestedName: String?
    /// A server's, of TLS 1.3: what its first keys for messages come from.
    fileprivate(set) var writeSecret: [UInt8]?
    /// How often a server has changed its keys since, and how many records it has sealed with the present ones.
    fileprivate(set) var keyUpdates = 0
    fileprivate(set) var recordsSealed: UInt64 = 0
    /// Those that came since the owner last looked.
    var sessions: [TLSSession] = []

    init(
        verdict: TrustAnswer = .open, applicationProtocols: [[UInt8]] = [], stapledResponse: [UInt8]? = nil,
        keyLog: (@Sendable (String) -> Void)? = nil
    ) {
        self.stapledResponse = stapledResponse
        self.verdict = verdict
        self.applicationProtocols = applicationProtocols
        self.keyLog = keyLog
    }

    /// Tells OpenSSL's connection of this dialogue, which must outlive it.
    func attach(to ssl: OpaquePointer) { SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque()) }

    private static func of(_ ssl: OpaquePointer?) -> TLSDialogue? {
        guard let ssl, let pointer = SSL_get_ex_data(ssl, 0) else { return nil }
        return Unmanaged<TLSDialogue>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// The peer's turn. In TLS 1.3 a server's keys for messages come after its first flight, in which ChangeCipherSpec
    /// means nothing; before it, with ChangeCipherSpec.
    func flightEnded(_ ssl: OpaquePointer) {
        if SSL_version(ssl) == Int32(TLSVersion.tls13.rawValue) { recordsSealed = 0 }
    }

    /// What OpenSSL calls the error that has it send this alert; nil if none has.
    static func error(for alert: TLSAlert) -> Int32? {
        switch alert {
        case .handshakeFailure: X509_V_ERR_APPLICATION_VERIFICATION
        case .badCertificate: X509_V_ERR_CERT_REJECTED
        case .unsupportedCertificate: X509_V_ERR_INVALID_PURPOSE
        case .certificateRevoked: X509_V_ERR_CERT_REVOKED
        case .certificateExpired: X509_V_ERR_CERT_HAS_EXPIRED
        case .unknownCA: X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY
        case .decryptError: X509_V_ERR_CERT_SIGNATURE_FAILURE
        case .internalError: X509_V_ERR_UNSPECIFIED
        case .certificateUnknown: unlistedError
        default: nil
        }
    }

    /// OpenSSL sends certificate_unknown for whatever is not in its table.
    private static let unlistedError: Int32 = 10_000
}

// MARK: Callbacks

extension TLSDialogue {
    /// Called again after each answer, so what is returned comes from `verdict`.
    static let verdictCallback: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { store, _ in
        guard let pointer = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
            let dialogue = TLSDialogue.of(OpaquePointer(pointer))
        else { return 0 }
        switch dialogue.verdict {
        case .open where dialogue.lacksStatus(OpaquePointer(pointer)):
            return tls_wait_for_verdict(OpaquePointer(pointer))
        case .open:
            let chain = X509_STORE_CTX_get0_untrusted(store)
            let certificates = (0..<certificates_count(chain)).compactMap { index in
                certificates_at(chain, index).map { CertificateBytes(der: CertificateHandle.der(of: $0)) }
            }
            dialogue.certificates = PeerCertificates(
                chain: certificates, stapledResponse: dialogue.stapledResponse(on: OpaquePointer(pointer)))
            dialogue.verdict = .asked
            return tls_wait_for_verdict(OpaquePointer(pointer))
        case .asked:
            return tls_wait_for_verdict(OpaquePointer(pointer))
        case .trusted:
            X509_STORE_CTX_set_error(store, X509_V_OK)
            return 1
        case .refused(let alert):
            X509_STORE_CTX_set_error(store, error(for: alert) ?? unlistedError)
            return 0
        }
    }

    /// Before TLS 1.3 the response comes in a message behind the certificates, which OpenSSL has not read yet.
    private func lacksStatus(_ ssl: OpaquePointer) -> Bool {
        SSL_version(ssl) < TLS1_3_VERSION && SSL_is_server(ssl) == 0 && !status.isDone
    }

    /// Of the server. One that is longer than real ones counts as none.
    private func stapledResponse(on ssl: OpaquePointer) -> [UInt8]? {
        guard SSL_version(ssl) >= TLS1_3_VERSION else { return status.response }
        var bytes: UnsafePointer<UInt8>?
        let count = tls_stapled_response(ssl, &bytes)
        guard count > 0, count <= PeerCertificates.longestResponse else { return nil }
        return [UInt8](UnsafeBufferPointer(start: bytes, count: count))
    }

    /// A client asks whether the server's certificate was revoked.
    static let statusCallback: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { ssl, _ in
        guard let response = TLSDialogue.of(ssl)?.stapledResponse, tls_staple(ssl, response, response.count) == 1
        else { return SSL_TLSEXT_ERR_NOACK }
        return SSL_TLSEXT_ERR_OK
    }

    /// Called when a client needs its identity; less than 0 makes the handshake wait.
    static let identityCallback: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { ssl, _ in
        guard let dialogue = TLSDialogue.of(ssl) else { return 0 }
        switch dialogue.identityAnswer {
        case .open, .asked:
            dialogue.identityAnswer = .asked
            return -1
        case .given: return 1
        case .unusable: return 0
        }
    }

    /// Plaintext came.
    func peerAnswered() { if ownCertificate != .notRequested { ownCertificate = .settled } }

    /// Called for all messages before and after their encryption.
    static let messageCallback:
        @convention(c) (
            Int32, Int32, Int32, UnsafeRawPointer?, Int, OpaquePointer?, UnsafeMutableRawPointer?
        ) -> Void = { isSent, _, kind, bytes, count, ssl, _ in
            if kind == SSL3_RT_HEADER {
                if isSent == 1 { TLSDialogue.of(ssl)?.noteRecord(of: bytes?.load(as: UInt8.self)) }
                return
            }
            guard kind == SSL3_RT_HANDSHAKE || kind == SSL3_RT_ALERT, count > 1, let dialogue = TLSDialogue.of(ssl)
            else { return }
            let message = UnsafeRawBufferPointer(start: bytes, count: count)
            if kind == SSL3_RT_ALERT {
                if isSent == 1 { dialogue.sentAlert = TLSAlert(rawValue: message[1]) }
            } else if isSent == 1 && Int32(message[0]) == SSL3_MT_KEY_UPDATE {
                dialogue.keyUpdates += 1
                dialogue.recordsSealed = 0
            } else if isSent == 0 && Int32(message[0]) == SSL3_MT_CERTIFICATE_REQUEST {
                dialogue.ownCertificate = .missing
            } else if isSent == 1 && Int32(message[0]) == SSL3_MT_CERTIFICATE && dialogue.ownCertificate == .missing {
                // Without certificates it is a header of 4 bytes, in TLS 1.3 an empty context, and an empty list.
                if count > 8 { dialogue.ownCertificate = .sent }
            }
        }

    /// 0: OpenSSL keeps owning the session.
    static let sessionCallback: @convention(c) (OpaquePointer?, OpaquePointer?) -> Int32 = { ssl, session in
        guard let dialogue = TLSDialogue.of(ssl), let session else { return 0 }
        if let copy = TLSSession(copying: session) { dialogue.sessions.append(copy) }
        return 0
    }

    static let keyLogCallback: @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> Void = { ssl, line in
        guard let line else { return }
        TLSDialogue.of(ssl)?.keyLog?(String(cString: line))
    }

    /// A server's keys in the form of a key log: a label, the client's random number, the secret.
    static let secretCallback: @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> Void = { ssl, line in
        guard let line, strncmp(line, "SERVER_TRAFFIC_SECRET_0 ", 24) == 0, let dialogue = TLSDialogue.of(ssl),
            let digits = String(cString: line).split(separator: " ").last
        else { return }
        dialogue.writeSecret = stride(from: 0, to: digits.utf8.count, by: 2).compactMap { start in
            UInt8(digits.dropFirst(start).prefix(2), radix: 16)
        }
    }

    private func noteRecord(of type: UInt8?) {
        recordsSealed = type.map(Int32.init) == SSL3_RT_CHANGE_CIPHER_SPEC ? 0 : recordsSealed + 1
    }

    static let hostNameCallback:
        @convention(c) (OpaquePointer?, UnsafeMutablePointer<Int32>?, UnsafeMutableRawPointer?) -> Int32 = {
            ssl, _, _ in
            let name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) }
            TLSDialogue.of(ssl)?.requestedName = name
            return name == nil ? SSL_TLSEXT_ERR_NOACK : SSL_TLSEXT_ERR_OK
        }

    /// Takes the first of the server's protocols that the client offers. The answer points into the client's offer,
    /// which lives until OpenSSL has copied it.
    static let protocolCallback:
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?,
            UnsafePointer<UInt8>?, UInt32, UnsafeMutableRawPointer?
        ) -> Int32 = { ssl, chosen, chosenCount, offer, count, _ in
            let offer = UnsafeBufferPointer(start: offer, count: Int(count))
            for name in TLSDialogue.of(ssl)?.applicationProtocols ?? [] {
                var position = 0
                while position < offer.count {
                    let end = position + 1 + Int(offer[position])
                    guard end <= offer.count else { break }
                    if offer[(position + 1)..<end].elementsEqual(name) {
                        chosen?.pointee = offer.baseAddress.map { $0 + position + 1 }
                        chosenCount?.pointee = offer[position]
                        return SSL_TLSEXT_ERR_OK
                    }
                    position = end
                }
            }
            return SSL_TLSEXT_ERR_ALERT_FATAL
        }
}
