import HTTPBasics
import MachineContract
import NIOCore

/// Everything that can happen to one task.
package enum TaskInput: MachineInput {
    case start(suspended: Bool)
    case suspend
    case resume
    case cancel(keepingResumeData: Bool)
    case answer(UserAnswer)
    /// What pieces count as, of which the user has taken so many.
    case delivered(bytes: Int)

    /// A connection is open and belongs to this task alone.
    ///
    /// - Parameter isForwarded: There is a proxy at its end, which reads the request and sends it on.
    case connected(isReused: Bool, isForwarded: Bool = false, SignIn = .not)
    /// The answer to `negotiate`.
    indirect case negotiated(number: Int, NegotiateAnswer, isConnected: Bool)
    indirect case connectFailed(Failure.Kind, detail: String, SecureFailure? = nil)
    /// A connection that the task waits for asks its user something, or has its answer: time does not count.
    case connectionAsks(Bool)
    /// The connection that carried the exchange was not secure any more, or its server refuses us: what an end of the
    /// wire alone would be.
    indirect case connectionBroke(SecureFailure, WireFailure)
    /// Bytes came, be they enough for an event or not, or a loader said something: silence begins anew
    /// (BEHAVIOUR 1.D2).
    case arrived
    /// The next event of the response; handed in only while `wantsEvents`.
    case event(ResponseEvent)
    case wrote(SentBytes)
    /// The next thing that a loader says; handed in only while `wantsEvents`.
    indirect case loaded(LoadEvent)
    /// The answer to `readBody`.
    indirect case bodyRead(BodyStreamID, BodyPiece)
    /// The answer to `openBodyFile`.
    case bodyFileOpened(FileVersion)
    /// The file cannot be opened, or is not what it was when it was.
    case bodyFileFailed(Failure.Kind, detail: String)

    case fileOpened
    case fileWrote(bytes: Int)
    case fileClosed
    case fileFailed(Failure.Kind, detail: String)

    /// What there is to know of the path to other machines: the answer to `watchPath`, or a change.
    case pathTold
    /// The answer to `yield`.
    case goOn
    case timePassed
}

/// Everything that a task can want from its session.
package enum TaskOutput: Equatable, Sendable {
    case acquire(Origin, ConnectionNeed)
    /// The exchange is over, and the next one has to go out on the same connection: another one is had only where that
    /// cannot be.
    case keep(Origin, ConnectionNeed)
    /// Ask the system for a token; answered by `negotiated`.
    indirect case negotiate(NegotiateCall)
    /// The connection is signed in.
    case signedIn
    /// An answer by a loader, if there is one for this request; `release` or `abandon` ends it.
    indirect case load(ClientRequest, isAtHome: Bool)
    /// The kept response that was offered under this number, with its body; `declined` if it is lost. `release` or
    /// `abandon` ends it.
    case loadKept(Int)
    case cache(CacheAction)
    /// Tell of the path from now on; answered by `pathTold`, and said once in a session.
    case watchPath
    /// The connection asked for is no longer wanted.
    case withdraw
    /// The request sets out with `TaskMachine.head`. Answered by `wrote`, unless it has no body.
    case begin(BodyStart)
    /// More of the request's body. Answered by `wrote`, a part of a file perhaps by `bodyFileFailed`.
    case send(BodyPart)
    /// Read the body stream once more; answered by `bodyRead`.
    case readBody(BodyStreamID)
    /// Open a file of the body, or look once more at the one that is open; answered by `bodyFileOpened` or
    /// `bodyFileFailed`, and no other one is asked for before. It is open until another one is, or `finished`.
    indirect case openBodyFile(BodyFile)
    /// The exchange is over: its answer was heard to the end.
    case release
    /// The exchange is given up.
    case abandon
    /// There is more to do than one turn may; answered by `goOn`.
    case yield
    case tell(UserCall)
    case ask(UserQuestion)
    /// What an answer from there has in its Set-Cookie fields.
    indirect case storeCookies([SecretText], from: URLReference)
    indirect case file(FileAction)
    /// After the last call: the task may be forgotten.
    case finished
    indirect case bug(String)
}
