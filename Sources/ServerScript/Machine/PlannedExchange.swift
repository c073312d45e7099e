import HTTPBasics

/// An exchange of the script as the machine plays it: one object for all requests that it meets, because scripted
/// values are large, and what those requests have in common is worked out once.
final class PlannedExchange {
    let scripted: Exchange
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
    /// Of an improvised exchange whose reply depends on the body.
    let awaitedBy: ImprovisedRequest?
    /// What the journal shows of an improvised exchange's target, if not all of it.
    let shownTarget: String?

    /// No script has written it.
    convenience init(
        _ found: Improvisation, for request: ImprovisedRequest, host: String, place: ScriptMachine.DrawPlace
    ) {
        self.init(
            found.exchange, host: host, place: place, more: found.faults,
            awaitedBy: found.awaitsBody ? request : nil, shownTarget: found.shownTarget)
    }

    init(
        _ scripted: Exchange, host: String? = nil, mark: SourceMark? = nil, place: ScriptMachine.DrawPlace,
        more: [Fault] = [], awaitedBy: ImprovisedRequest? = nil, shownTarget: String? = nil
    ) {
        self.awaitedBy = awaitedBy
        self.shownTarget = shownTarget
        self.scripted = scripted
        self.host = host
        self.mark = mark
        self.place = place
        faults = scripted.allFaults + more
        reply = scripted.reply.map(PlannedReply.init)
        let request = scripted.request
        hasBodyConditions =
            request.body != nil || request.multipart != nil || request.sliceOf != nil
            || request.digest?.protection == .requestWithBody
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

    init(_ script: Script) {
        steps = script.steps.enumerated().map { index, step in
            guard case .exchange(let exchange) = step.action else { return nil }
            let host = step.host ?? script.hosts.first
            return PlannedExchange(exchange, host: host, mark: step.mark, place: .step(index))
        }
        routes = script.routes.enumerated().map { index, route in
            let host = route.host ?? script.hosts.first
            return PlannedExchange(route.exchange, host: host, mark: route.mark, place: .route(index))
        }
        otherwise = script.otherwise.map { PlannedExchange(Exchange(RequestMatch(), reply: $0), place: .otherwise) }
    }
}
