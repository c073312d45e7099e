import HTTPBasics
import MachineContract
import NIOCore
import TLSBasics

/// Everything that a session's client machine can want from its world.
package enum ClientOutput: Equatable, Sendable {
    /// Tell how other machines can be reached, now and whenever it changes; said once at most. Answered by `path`.
    case watchPath
    /// Ask for the addresses of each family by itself, at the same time. Each is answered by `resolved` or
    /// `resolveFailed`.
    case resolve(DialID, host: String, port: Int)
    /// No answer to `resolve` is wanted any more.
    case stopResolving(DialID)
    /// Answered by `connected` or `connectFailed`. Of the connections of one dial only one is ever used.
    ///
    /// - Parameter codePoint: What its packets are to be marked with, as `TaskPlan.codePoint`.
    case connect(ConnectionID, for: DialID, NetworkAddress, codePoint: UInt8 = 0)
    /// Secure a connection that is open: from here on what is written and received is what TLS protects. Answered by
    /// `secured` or `secureFailed`, perhaps after `trustAsked` and `identityAsked`. Once more on a connection that is
    /// secured: the server's TLS then lies within that of the proxy.
    ///
    /// - Parameter unread: What has come of it already.
    indirect case secure(ConnectionID, SecuredPeer, unread: ByteBuffer = ByteBuffer())
    /// The answer to `trustAsked`.
    case decideTrust(ConnectionID, TrustDecision)
    /// The answer to `identityAsked`; nil for none.
    case present(ConnectionID, TLSIdentity?)
    /// No connection from now on goes on with what an earlier one has agreed upon with this peer, or with any (nil).
    indirect case forgetTickets(of: SecuredPeer?)
    /// Answered by `wrote`, all at once or bit by bit.
    case write(ConnectionID, ByteBuffer)
    /// The same for a request that ends with its head: not answered, since the task does not wait for that.
    case writeHead(ConnectionID, ByteBuffer)
    /// Bytes of the file that the task has open, without bringing them into memory where the world can. Answered by
    /// `wrote` if the file still is what it was when they were taken: of its version, or long enough where it has none.
    /// Else by `bodyFileFailed`, and then nothing is written behind them.
    case writeFile(ConnectionID, TaskID, offset: Int64, count: Int)
    /// Close after what was written; the world answers with `closed`.
    case close(ConnectionID)
    /// See whether an unused connection still is what it was: answered by `looked`, or by `inputClosed` if it has ended
    /// or something came for it without a request. At once, before all else that waits to be told.
    case look(ConnectionID)
    /// Reading stops or goes on: how back-pressure reaches the socket.
    case setReading(ConnectionID, Bool)

    case tell(TaskID, UserCall)
    case ask(TaskID, QuestionID, UserQuestion)
    /// Keep what an answer from there has in its Set-Cookie fields.
    indirect case storeCookies(TaskID, [SecretText], from: URLReference)
    indirect case cache(TaskID, CacheAction)
    /// Read a body stream once, 64 KiB at most. At most one such read of a stream is under way.
    case readBody(TaskID, BodyStreamID)
    /// Ask the system's GSSAPI; answered by `negotiated`. What it has begun for a task lasts until it begins something
    /// else for it, or the task completes.
    indirect case negotiate(TaskID, NegotiateCall)
    /// Where an answer does not come over a connection. `begin` and each `goOn` are answered by `loaded`.
    indirect case load(TaskID, LoadID, LoadAction)
    /// Open a file that a task sends; answered by `bodyFileOpened` or `bodyFileFailed`. It is open until the task opens
    /// another one, or completes. If it is that one already, it is compared once more with what it was.
    indirect case openBodyFile(TaskID, BodyFile)
    /// There is more to do for a task than one turn may: answered by `goOn`, behind everything that waits by then.
    case yield(TaskID)
    /// The session is invalid and empty: the very last output.
    case invalidated

    indirect case file(TaskID, FileAction)

    /// Some input broke the contract; a run in which this appears has failed.
    indirect case bug(String)
}

/// Work on the file of a download. The world answers each but the last two with one input, in order.
package enum FileAction: Hashable, Sendable {
    /// Create the file, or open an existing one and cut it to `offset` bytes. Answer: `fileOpened`.
    case open(path: String, offset: Int64)
    /// Append. Answer: `fileWrote`.
    case write(ByteBuffer)
    /// Make it durable for a reader and close it, after a change of its name if one is given. Answer: `fileClosed`.
    case close(renamedTo: String?)
    /// Close it and remove it. No answer.
    case discard
    /// Remove a file that is not open. No answer.
    case remove(path: String)
}
