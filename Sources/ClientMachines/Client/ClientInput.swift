import HTTPBasics
import MachineContract
import NIOCore
import TLSBasics

/// Everything that can happen to a session's client machine.
package enum ClientInput: MachineInput {
    // From the user
    indirect case start(TaskID, TaskPlan, suspended: Bool)
    case suspend(TaskID)
    case resume(TaskID)
    case cancel(TaskID, keepingResumeData: Bool)
    case answer(QuestionID, UserAnswer)
    /// The user has taken pieces of `data` that count as this many bytes (`DeliveryWindow`); opens the window again.
    case delivered(TaskID, bytes: Int)
    /// What a body stream gave: the answer to `readBody`.
    indirect case bodyRead(TaskID, BodyStreamID, BodyPiece)
    /// What the loader of a request says.
    indirect case loaded(TaskID, LoadID, LoadEvent)
    /// The answer to `openBodyFile`.
    case bodyFileOpened(TaskID, FileVersion)
    /// The file cannot be opened, or is not what it was when it was.
    case bodyFileFailed(TaskID, Failure.Kind, detail: String)
    /// The answer to `negotiate`.
    indirect case negotiated(TaskID, number: Int, NegotiateAnswer)
    /// What follows gets connections of its own: those that are there serve nothing but what they serve now.
    case renewConnections
    /// What let one task in serves no others.
    case forgetCredentials
    /// The session's storage has cookies, or has none any more.
    case cookieStorageSays(StorageNews)
    /// The session's cache keeps something, or nothing any more.
    case cacheSays(StorageNews)
    /// The same of one credential.
    indirect case forgetCredential(ForgottenCredential)
    /// No further tasks will start; `cancelling` ends those that run.
    case invalidate(cancelling: Bool)

    // From the network
    /// How other machines can be reached: the answer to `watchPath`, and again with each change.
    case path(NetworkPath)
    /// In the order in which they should be tried (RFC 6724).
    case resolved(DialID, AddressFamily, [NetworkAddress])
    case resolveFailed(DialID, AddressFamily, detail: String)
    /// `local` is our own end, where the world knows it; `isMultipath`, both ends speak multipath TCP.
    case connected(ConnectionID, local: NetworkAddress? = nil, isMultipath: Bool = false)
    case connectFailed(ConnectionID, ConnectFailure)
    case received(ConnectionID, ByteBuffer)
    /// The answer to `look`, if nothing has come: no byte, no end.
    case looked(ConnectionID)
    /// The peer has finished sending (FIN).
    case inputClosed(ConnectionID)
    /// The connection is gone: reset, broken, or closed by us as asked.
    case closed(ConnectionID)
    /// This many bytes have been handed to the transport.
    case wrote(ConnectionID, bytes: Int)

    // From connections that are being secured, or were
    /// The certificates of the server, or of the proxy, as it sent them: answered by `decideTrust`, whenever that is
    /// known.
    indirect case trustAsked(ConnectionID, PeerCertificates)
    /// The server wants a certificate, by one of these authorities (names in DER): answered by `present`.
    indirect case identityAsked(ConnectionID, issuers: [[UInt8]])
    indirect case secured(ConnectionID, TLSFacts)
    /// The connection is of no use any more, and all that can be sent on it is an alert: answered by `close`.
    indirect case secureFailed(ConnectionID, SecureFailure)

    // From files
    case fileOpened(TaskID)
    case fileWrote(TaskID, bytes: Int)
    case fileClosed(TaskID)
    case fileFailed(TaskID, Failure.Kind, detail: String)

    /// The answer to `yield`.
    case goOn(TaskID)
    case timePassed
}

/// An address that a name resolved to; the text is what the world can connect to.
package struct NetworkAddress: Hashable, Sendable {
    package var text: String
    package var port: Int

    package init(text: String, port: Int) {
        self.text = text
        self.port = port
    }
}
