import HTTPBasics
import MachineContract

/// Connections that are signed in with NTLM, message by message (BEHAVIOUR 2.A32, 2.A34).
extension TaskMachine {
    /// What follows an answer to one of the messages, if it is not judged like any other answer.
    func nextMessage(_ head: ResponseHead) -> SignInHandshake? {
        guard hop.handshakes < SignInHandshake.most else { return nil }
        switch attempt.handshake {
        case .begins:
            if let challenge = ChallengeSelection.handshake(in: head, ofProxy: isSignedInByProxy) {
                return .goesOn(challenge)
            }
            // It lets us in without a word about who we are, and has not got the body.
            return head.status < 300 && request.body != nil ? .done : nil
        case .done where connectionUser?.scheme == .ntlm:
            // It has forgotten who we are.
            let ofProxy = attempt.forwarder.map { ChallengeSelection.challenges(of: $0, in: head, to: request) }
            let offers = isSignedInByProxy ? ofProxy ?? [] : offers(in: head)
            return offers.contains { $0.method == .ntlm } ? .begins : nil
        case .goesOn, .says, .done, nil: return nil
        }
    }

    /// An answer that is no challenge: the connection is signed in from here on.
    func noteSignIn(_ head: ResponseHead, _ turn: inout Turn) {
        guard head.status != 407, head.status != 401 || isSignedInByProxy else { return }
        switch attempt.handshake {
        case .goesOn: turn.outputs.append(.signedIn)
        // Some servers want to know it of each request, and say so (BEHAVIOUR 2.A32-again).
        case .says
        where isSignedInByProxy || !(head.fields.first("Persistent-Auth")?.equalsIgnoringCase("false") ?? false):
            turn.outputs.append(.signedIn)
        case .says, .begins, .done, nil: break
        }
    }

    /// It is the proxy's connection that is signed in, and not the server's.
    var isSignedInByProxy: Bool { connectionUser?.isOfProxy ?? false }

    /// What the server asks for and can be told: a connection that its proxy has signed in is signed in by nobody else
    /// (BEHAVIOUR 2.A32-proxy), and one whose requests a proxy sends on is a connection to the server only where that
    /// says so (BEHAVIOUR 2.A37-forwarded).
    func offers(in head: ResponseHead) -> [ChallengeSelection.Offer] {
        let offers = ChallengeSelection.challenges(in: head, to: request)
        guard isSignedInByProxy || attempt.forwarder != nil && !ChallengeSelection.keepsSessionsApart(head) else {
            return offers
        }
        return offers.filter { $0.method != .ntlm && $0.method != .negotiate }
    }

    /// Whether the next attempt goes out on the connection that this answer came on. A stream has to be asked for
    /// before, which takes as long as its user wants.
    func keepsConnection(for next: TaskStage.NextAttempt) -> Bool {
        guard !isSuspended else { return false }
        switch next {
        case .handshake(.goesOn), .handshake(.done): return true
        case .handshake(.begins), .handshake(.says): return !needsStream
        case .authorized(let authorization), .authorizedForProxy(let authorization):
            return authorization.connectionUser != nil && !needsStream
        case .redirect, .renewed, .kept, .withoutCondition, .withoutRange, .withoutExpectation, .offsetOfUpload,
            .restOfUpload:
            return false
        }
    }

    var needsStream: Bool {
        if case .stream(let stream) = request.body { stream == lastStreamRead } else { false }
    }

    /// The next message, on the same connection; where that is lost, the handshake begins anew on another one.
    func goOn(with handshake: SignInHandshake, _ turn: inout Turn) {
        guard let origin = request.url.origin else { return turn.outputs.append(.bug("signed in nowhere")) }
        hop.handshakes += 1
        connectionUser = chosenUser
        log?.begin(request)
        resumable?.wentOut(upTo: attempt.body.reach)
        let cookies = attempt.cookies
        attempt = Attempt()
        attempt.cookies = cookies
        attempt.handshake = handshake
        stage = .waitingForConnection
        timeouts.startWaiting(at: turn.now)
        turn.outputs.append(.keep(origin, need))
    }
}
