#if !canImport(Darwin)
import Foundation

/// Takes answers to challenges outside URLSession. A session takes them through the handler of its delegate method.
public protocol URLAuthenticationChallengeSender: NSObjectProtocol, Sendable {
    /// Go on with `credential`.
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge)
    /// Go on without a credential.
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge)
    /// Give up.
    func cancel(_ challenge: URLAuthenticationChallenge)
    /// Go on as if the question had not been asked.
    func performDefaultHandling(for challenge: URLAuthenticationChallenge)
    /// Try the next way in which the server would take a credential.
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge)
}

/// What a server demands before it answers, and what was tried so far.
///
/// Immutable; may be used from any thread.
open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {
    // Safety of the unchecked conformance: nothing of it ever changes.
    private final let facts: Facts

    private struct Facts: Sendable {
        var space: URLProtectionSpace
        var proposed: URLCredential?
        var previousFailures: Int
        var response: URLResponse?
        var error: (any Error)?
        var sender: (any URLAuthenticationChallengeSender)?
    }

    /// A challenge with facts that the caller knows, such as a `URLProtocol` or a test.
    public init(
        protectionSpace space: URLProtectionSpace, proposedCredential credential: URLCredential?,
        previousFailureCount: Int, failureResponse response: URLResponse?, error: (any Error)?,
        sender: any URLAuthenticationChallengeSender
    ) {
        facts = Facts(
            space: space, proposed: credential, previousFailures: previousFailureCount, response: response,
            error: error, sender: sender)
        super.init()
    }

    /// The same challenge with another sender.
    public init(
        authenticationChallenge challenge: URLAuthenticationChallenge, sender: any URLAuthenticationChallengeSender
    ) {
        var facts = challenge.facts
        facts.sender = sender
        self.facts = facts
        super.init()
    }

    /// A session's own challenge, answered through a handler only.
    init(space: URLProtectionSpace, proposed: URLCredential?, previousFailures: Int, response: URLResponse?) {
        facts = Facts(
            space: space, proposed: proposed, previousFailures: previousFailures, response: response, error: nil,
            sender: nil)
        super.init()
    }

    /// What the credential must open.
    open var protectionSpace: URLProtectionSpace { facts.space }

    /// A credential that could be tried: from the URL, and not tried yet. Nil when there is none.
    open var proposedCredential: URLCredential? { facts.proposed }

    /// How many attempts of this task failed before; 0 for the first challenge.
    open var previousFailureCount: Int { facts.previousFailures }

    /// The answer that asked for a credential, for HTTP the 401. Nil for what a connection asks, and for protocols that
    /// fail otherwise.
    open var failureResponse: URLResponse? { facts.response }

    /// The error that asked for a credential, for protocols that fail by one.
    open var error: (any Error)? { facts.error }

    /// Receives the answer. Nil for the challenges of a session, which are answered through the handler.
    open var sender: (any URLAuthenticationChallengeSender)? { facts.sender }
}
#endif
