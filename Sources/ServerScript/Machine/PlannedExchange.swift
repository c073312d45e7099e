import HTTPBasics

/// An exchange of the script as the machine plays it: one object for all requests that it meets, because scripted
/// values are large, and what those requests have in common is worked out once.
final class PlannedExchange {
    let scripted: Exchange
    let match: PlannedMatch
    let host: String?
    let mark: SourceMark?
    let place: ScriptMachine.DrawPlace
    /// The exchange's own and its reply's.
    let faults: [Fault]
    let reply: PlannedReply?
    /// Whether the request's body is held against anything.
    let hasBodyConditions: Bool
    /// Whether the choice of this exchange may be left to that: nothing happens before the body's end.
    let canWaitForBody: Bool
    /// What it does to the script's state is made of the body.
    let changesNeedBody: Bool
    /// Of an improvised exchange whose reply depends on the body.
    let awaitedBy: ImprovisedRequest?
    /// What the journal shows of an improvised exchange's target, if not all of it.
    let shownTarget: String?

    /// No script has written it.
    convenience init(
        _ found: Improvisation, for request: ImprovisedRequest, host: String, place: ScriptMachine.DrawPlace
    ) {
        self.init(
            found.exchange, host: host, place: place, awaitedBy: found.awaitsBody ? request : nil,
            shownTarget: found.shownTarget, isImprovised: true)
    }

    /// `isShared` when the whole script is shared with pages of other origins. What is improvised has no words in it
    /// that wait for a request: it is made of one already.
    init(
        _ scripted: Exchange, host: String? = nil, mark: SourceMark? = nil, place: ScriptMachine.DrawPlace,
        awaitedBy: ImprovisedRequest? = nil, shownTarget: String? = nil, isShared: Bool = false,
        isImprovised: Bool = false
    ) {
        self.awaitedBy = awaitedBy
        self.shownTarget = shownTarget
        self.scripted = scripted
        match = PlannedMatch(scripted.request)
        self.host = host
        self.mark = mark
        self.place = place
        faults = scripted.allFaults
        reply = scripted.reply.map {
            PlannedReply($0, isShared: scripted.isShared ?? isShared, isMade: isImprovised)
        }
        let request = scripted.request
        hasBodyConditions =
            request.body != nil || request.multipart != nil || request.sliceOf != nil
            || request.digest?.protection == .requestWithBody
        changesNeedBody = scripted.changes.contains { change in change.words.contains(where: \.isOfBody) }
        let hasEarlyFault = faults.contains { [.requestHead, .requestBody].contains($0.landmark.kind) }
        let hasContinue = scripted.reply?.interim.first?.status == 100
        let isResumable = scripted.resumable != nil
        canWaitForBody =
            hasBodyConditions && scripted.readBody == .all && !hasEarlyFault && !hasContinue && !isResumable
    }
}

/// The exchanges of a script, by the place where they are written.
struct ScriptPlan {
    /// One for each step; nil for those outside of exchanges.
    let steps: [PlannedExchange?]
    let routes: [PlannedExchange]
    let otherwise: PlannedExchange?
    /// The answer to a browser that asks whether a request to another origin is allowed.
    let preflight = PlannedExchange(
        Exchange(RequestMatch("OPTIONS"), reply: Reply(status: 204), isShared: true), place: .otherwise)
    /// Whether a route says something of HEAD; where none does, routes for GET answer it.
    let knowsHead: Bool

    init(_ script: Script) {
        steps = script.steps.enumerated().map { index, step in
            guard case .exchange(let exchange) = step.action else { return nil }
            let host = step.host ?? script.hosts.first
            return PlannedExchange(
                exchange, host: host, mark: step.mark, place: .step(index), isShared: script.isShared)
        }
        routes = script.routes.enumerated().map { index, route in
            let host = route.host ?? script.hosts.first
            return PlannedExchange(
                route.exchange, host: host, mark: route.mark, place: .route(index), isShared: script.isShared)
        }
        otherwise = script.otherwise.map {
            PlannedExchange(Exchange(RequestMatch(), reply: $0), place: .otherwise, isShared: script.isShared)
        }
        knowsHead = script.routes.contains { $0.exchange.request.method == "HEAD" }
    }
}
