import TLSBasics

/// Finds the response that a server of TLS 1.2 staples to its certificate, in the bytes as they arrive.
///
/// OpenSSL asks whether a certificate is trusted before it reads the message behind it, CertificateStatus (RFC 6066 8),
/// and the question needs both. Up to there nothing is encrypted in TLS 1.2. In TLS 1.3 the response comes with the
/// certificate, and there is nothing to find here: what is encrypted ends the search.
struct CertificateStatusReader {
    /// Whether it is known by now whether there is a response.
    private(set) var isDone = false
    /// The response, in DER.
    private(set) var response: [UInt8]?

    /// The header of a record or of a message, as far as it has come.
    private var header: [UInt8] = []
    /// How many bytes of the present record are still to come.
    private var recordLeft = 0
    private var messageHeader: [UInt8] = []
    private var messageLeft = 0
    private var hasCertificate = false
    private var status: [UInt8] = []
    /// How many bytes may follow the certificate until its status is complete, headers included. A client that lets no
    /// more lie unread than this would wait for ever.
    private var patience = 48 << 10

    private enum Kind {
        // Of records and of messages: RFC 5246 A.1 and A.4, RFC 6066 8.
        static let handshake: UInt8 = 22
        static let certificate: UInt8 = 11
        static let certificateStatus: UInt8 = 22
    }

    private static let recordHeader = 5
    private static let statusHeader = 4

    mutating func read(_ bytes: some Sequence<UInt8>) {
        guard !isDone else { return }
        for byte in bytes {
            if hasCertificate { patience -= 1 }
            if patience == 0 { return end() }
            if recordLeft > 0 {
                recordLeft -= 1
                readMessage(byte)
            } else {
                readRecordHeader(byte)
            }
            if isDone { return }
        }
    }

    /// Nothing more comes.
    mutating func end() { isDone = true }

    private mutating func readRecordHeader(_ byte: UInt8) {
        header.append(byte)
        guard header[0] == Kind.handshake else { return end() }
        guard header.count == Self.recordHeader else { return }
        recordLeft = Int(header[3]) << 8 | Int(header[4])
        header = []
    }

    private mutating func readMessage(_ byte: UInt8) {
        if messageLeft > 0 {
            messageLeft -= 1
            if messageHeader[0] == Kind.certificateStatus { status.append(byte) }
            if messageLeft == 0 { endMessage() }
            return
        }
        messageHeader.append(byte)
        // What follows a certificate immediately is its status, or there is none.
        if (messageHeader[0] == Kind.certificateStatus) != hasCertificate { return end() }
        guard messageHeader.count == 4 else { return }
        messageLeft = Int(messageHeader[1]) << 16 | Int(messageHeader[2]) << 8 | Int(messageHeader[3])
        if hasCertificate && messageLeft > PeerCertificates.longestResponse + Self.statusHeader { return end() }
        if messageLeft == 0 { endMessage() }
    }

    private mutating func endMessage() {
        if messageHeader[0] == Kind.certificate { hasCertificate = true }
        if messageHeader[0] == Kind.certificateStatus {
            // The kind of response, where 1 is OCSP, and the length of what follows.
            if status.count > Self.statusHeader, status[0] == 1 {
                response = Array(status.dropFirst(Self.statusHeader))
            }
            end()
        }
        messageHeader = []
    }
}
