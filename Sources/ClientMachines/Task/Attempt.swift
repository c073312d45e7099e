import HTTPBasics
import MachineContract

/// What a task knows of one attempt, from its request to its answer: forgotten as a whole when the next one begins.
struct Attempt {
    var isReused = false
    /// How far it is in signing its connection in.
    var handshake: SignInHandshake?
    /// Our own answer to a challenge, if it went along.
    @Rare var authorization: SentAuthorization?
    /// The proxy that sends the request on.
    @Rare var forwarder: Proxy?
    /// What goes along of the session's cookies.
    @Rare var cookies: SecretText?
    var body = OutgoingBody()
    var head: ResponseHead?
    var bodyLength: DeclaredLength?
    var decoder: ContentDecoder?
    var bodyEnded = false
    /// When the request went out.
    var asked: Moment?
    /// The answer is collected for the cache.
    var isCollected = false
    /// What a loader gave as the response.
    @Rare var supplied: Response?
    /// The body belongs to a 416 that says "you have it all": read past, not into the file.
    var discardsBody = false
    var drained = 0
    /// How long the body waits for the word of a server that was asked whether it wants it.
    var continueDeadline: Instant?
}
