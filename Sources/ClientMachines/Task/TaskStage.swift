import HTTPBasics

/// Where a task stands. `TaskMachine+Interrupt` answers, for all stages at once, what a cancel, a deadline or a lost
/// connection does.
///
/// | Stage | What may come next | Its file |
/// |---|---|---|
/// | `idle` | `delayed`, or an attempt | `TaskMachine+Starting` |
/// | `delayed` | `asking` (delayedRequest), or an attempt | `TaskMachine+Delaying` |
/// | `loading` | an answer (see below); `asking` (loadChallenge); declined: an attempt | `TaskMachine+Loading` |
/// | `openingBody` | `asking` (cookies, kept), `waitingForPath`, `waitingForConnection` | `TaskMachine+Starting` |
/// | `waitingForPath` | an attempt | `TaskMachine+WaitingForPath` |
/// | `waitingForConnection` | `awaitingHead`; `negotiating`; `waitingForPath` | `TaskMachine+Starting` |
/// | `awaitingHead` | `confirmingBody`; `negotiating`; an answer; a retry: an attempt | `TaskMachine+AwaitingHead` |
/// | `confirmingBody` | `awaitingHead`, which judges the answer | `TaskMachine+ConfirmingBody` |
/// | `negotiating` | `asking` (challenge, bodyStream), `draining`, `awaitingHead`, others | `TaskMachine+Negotiating` |
/// | `asking` | what its question was about: an attempt, an answer, `draining`, `loading` | `TaskMachine+Asking` |
/// | `draining` | an attempt | `TaskMachine+FollowingUp` |
/// | `openingFile` | `receivingBody` | `TaskMachine+Downloading` |
/// | `receivingBody` | `closingFile` for a download, else `asking` (willCache) | `TaskMachine+ReceivingBody` |
/// | `closingFile` | `completed` | `TaskMachine+Downloading` |
/// | `completed` | | `TaskMachine+Finishing` |
///
/// An *attempt* is `loading`, `asking` (bodyStream, cookies, kept), `openingBody`, `waitingForPath` or
/// `waitingForConnection`; of a task that is suspended it is `idle`. An *answer* leads to `asking` (redirect, challenge,
/// response), `draining`, `openingFile` or `receivingBody`.
package enum TaskStage: Equatable, Sendable {
    /// Not begun: created, or suspended before a connection was asked for. Leaves by resume.
    case idle
    /// Not to begin before then. Leaves at that moment.
    case delayed(until: Instant)
    /// A loader has the request, its response has not come. Leaves by response, refusal, redirect or failure.
    case loading
    /// The body's first file is being opened: its length may stand in the request's head. Leaves by the file's answer.
    case openingBody
    /// No network is there that the request may use. Leaves by news of the path.
    case waitingForPath
    /// In its route's line. Leaves by a connection, or by the failure of one that was being made.
    case waitingForConnection
    /// The request is going out, the final response head has not come. Leaves by head or failure.
    case awaitingHead
    /// The answer has come, and files of the body are looked at once more, these after the present one. Leaves by the
    /// last one's answer.
    case confirmingBody([BodyFile])
    /// A question to the user is open, the response is held back. Leaves by the answer.
    case asking(Question)
    /// The system is asked for a token of Negotiate, and what made that necessary is held back. Leaves by its answer.
    indirect case negotiating(Negotiation)
    /// The file of a download is being opened. Leaves by the file's answer.
    case openingFile
    /// Body bytes go to the user or into the file. Leaves at the body's end.
    case receivingBody
    /// An unwanted body is read to save its connection, no longer than until then. Leaves at its end, its bound or its
    /// time.
    indirect case draining(next: NextAttempt, until: Instant)
    /// The body is complete; the file is being written out and closed.
    indirect case closingFile(Failure?)
    /// Told the user so; nothing happens any more.
    case completed

    /// What the open question was about, with what is needed to go on.
    package enum Question: Equatable, Sendable {
        indirect case redirect(next: ClientRequest)
        indirect case challenge(Challenge)
        case response
        /// An answer is held back meanwhile if something follows from it.
        indirect case bodyStream(then: NextAttempt?)
        case delayedRequest
        case loadChallenge
        case cookies(Origin)
        case kept(Origin)
        case willCache
    }

    /// What a token is wanted for.
    package enum Negotiation: Equatable, Sendable {
        /// Nobody was asked yet.
        case ticket(Challenge)
        case credential(Challenge, Credential, isKept: Bool)
        /// The connection is there.
        case setsOut
        /// The answer demands another one.
        case answer
        /// None: the answer has the server's own proof.
        case proof
    }

    /// What follows when the present exchange is out of the way.
    package enum NextAttempt: Equatable, Sendable {
        indirect case redirect(ClientRequest)
        indirect case authorized(Authorization)
        /// By the proxy that sends the request on.
        indirect case authorizedForProxy(Authorization)
        /// The next message of NTLM or Negotiate, on the same connection if it can be.
        indirect case handshake(SignInHandshake)
        /// What goes along unasked was said with a nonce that is out of date.
        case renewed
        /// A kept response is the answer after all, or again.
        case kept
        /// What was confirmed is not what is kept.
        case withoutCondition
        case withoutRange
        case withoutExpectation
        case offsetOfUpload
        case restOfUpload
    }
}
