import HTTPBasics
import MachineContract

/// What the session's cache has to do with a request: before a connection is asked for, when an answer has come, and
/// when none can be had (RFC 9111).
extension TaskMachine {
    /// No field can have this value.
    private static let unknown = "\u{0}"

    // MARK: - Before the request

    /// Looks for a kept response, if there can be one; true when that is what is done now.
    func asksCache(for origin: Origin, _ turn: inout Turn) -> Bool {
        guard plan.usesCache, hop.cachePhase == .unasked else { return false }
        let fields = requestFields, decision = decision(about: nil, fields, at: turn.moment)
        guard decision != .bypass, cache.mayHaveSome, !hop.isNotKept, !plan.cacheRule.ignoresKept,
            let key = cacheKey()
        else {
            return go(on: decision, with: nil, fields, &turn)
        }
        ask(.kept(origin), .kept(key), &turn)
        return true
    }

    /// What is kept for this URL, the newest first; the request may be another variant of it.
    func answered(_ kept: [StoredResponse], for origin: Origin, _ turn: inout Turn) {
        if isSuspended {
            stage = .idle
            return
        }
        let fields = requestFields, candidate = candidate(among: kept)
        let decision = decision(about: candidate, fields, at: turn.moment)
        if !go(on: decision, with: candidate, fields, &turn) { join(origin, &turn) }
    }

    private func candidate(among kept: [StoredResponse]) -> KeptCandidate? {
        // Most often there is nothing.
        guard !kept.isEmpty else { return nil }
        // Put together once, and only if one of them varies.
        lazy var sent = sentFields.all
        return kept.firstIndex { $0.variant.matches(sent) }.map { KeptCandidate(index: $0, response: kept[$0]) }
    }

    private func decision(about candidate: KeptCandidate?, _ fields: Fields, at moment: Moment) -> ReuseDecision {
        ReuseDecision.decide(
            plan.cacheRule, method: request.method, fields: fields, stored: candidate?.response, at: moment.date)
    }

    /// True when no connection is needed.
    private func go(
        on decision: ReuseDecision, with candidate: KeptCandidate?, _ fields: Fields, _ turn: inout Turn
    ) -> Bool {
        switch (decision, candidate) {
        case (.use, let candidate?):
            hop.cachePhase = .answers(candidate, isConfirmed: false)
            loadKept(&turn)
            return true
        case (.validate(let condition), let candidate?):
            hop.cachePhase = .validates(candidate, condition)
        case (.unavailable, _):
            refuseNetwork(&turn)
            return true
        default:
            hop.cachePhase = .loads
        }
        if let candidate,
            ReuseDecision.mayStandIn(candidate.response, for: fields, plan.cacheRule, at: turn.moment.date)
        {
            hop.standIn = candidate
        }
        return false
    }

    /// BEHAVIOUR 2.D2-never.
    func refuseNetwork(_ turn: inout Turn) {
        let detail = "Nothing is cached for the request, and its cache policy forbids asking the server."
        finish(failure(.resourceUnavailable, .caller, detail), &turn)
    }

    // MARK: - A kept response

    /// The kept response has been chosen: true when the attempt that begins is to deliver it.
    func deliversKept(_ turn: inout Turn) -> Bool {
        guard hop.cachePhase.isAnswered else { return false }
        loadKept(&turn)
        return true
    }

    private func loadKept(_ turn: inout Turn) {
        guard case .answers(let candidate, _) = hop.cachePhase else { return }
        log?.isLocal()
        stage = .loading
        timeouts.startWaiting(at: turn.now)
        turn.outputs.append(.loadKept(candidate.index))
    }

    /// The cache has it, and its body: from here on it is an answer like another. What it says of cookies was heard
    /// when it came.
    func keptAnswers(_ response: Response, _ turn: inout Turn) {
        guard case .answers(let candidate, let isConfirmed) = hop.cachePhase else { return }
        take(isConfirmed ? response : response.forReuse(of: candidate.response, at: turn.moment.date))
        switch RedirectDecision.decide(request: request, head: response.head, count: redirectCount) {
        case .follow(let next): return redirected(to: next, &turn)
        case .fail(let kind, let detail, let url):
            failingURL = url
            return interrupt(.failed(kind, .peer, detail), &turn)
        case .deliver: break
        }
        deliverResponse(&turn)
    }

    /// The cache has lost it meanwhile, or cannot read it: the server has it (BEHAVIOUR 2.D4-lost).
    func keptIsLost(_ turn: inout Turn) {
        turn.outputs.append(.release)
        hop.cachePhase = .loads
        hop.standIn = nil
        if isOffline { return refuseNetwork(&turn) }
        begin(&turn)
    }

    private var isOffline: Bool {
        plan.cacheRule == .returnDontLoad || CacheControl(ofRequest: requestFields).onlyIfCached
    }

    /// The user stops a kept redirect, and is to have its body, which only the server has (BEHAVIOUR 2.D5-redirect);
    /// true when that is what is done now.
    func loadsStoppedRedirect(_ turn: inout Turn) -> Bool {
        guard case .answers(let candidate, _) = hop.cachePhase, request.method != "HEAD",
            candidate.response.fields.first("Content-Length") != "0"
        else { return false }
        hop.cachePhase = .loads
        (hop.standIn, hop.isRedirectStopped) = (nil, true)
        guard isOffline else {
            drain(then: .withoutCondition, &turn)
            return true
        }
        if !attempt.bodyEnded { abandon(&turn) }
        refuseNetwork(&turn)
        return true
    }

    // MARK: - An answer

    /// The answer to a condition of ours, or one that a kept response stands in for; true when that is what comes.
    func answersFromCache(_ head: ResponseHead, _ turn: inout Turn) -> Bool {
        if case .validates(let candidate, _) = hop.cachePhase, head.status == 304 {
            let confirmed = Confirmation.update(
                candidate.response, by: head.fields.fields, to: sentFields.all,
                asked: (attempt.asked ?? turn.moment).date, received: turn.moment.date)
            guard let confirmed else {
                hop.cachePhase = .loads
                drain(then: .withoutCondition, &turn)
                return true
            }
            if let key = cacheKey() {
                // It is the answer all the same.
                let mayStay = !CacheControl(ofResponse: head.fields).noStore
                turn.outputs.append(
                    .cache(mayStay ? .freshen(index: candidate.index, confirmed, for: key) : .forget([key])))
            }
            let updated = KeptCandidate(index: candidate.index, response: confirmed)
            hop.cachePhase = .answers(updated, isConfirmed: true)
            drain(then: .kept, &turn)
            return true
        }
        // RFC 5861 4.
        guard [500, 502, 503, 504].contains(head.status), let standIn = hop.standIn else { return false }
        hop.cachePhase = .answers(standIn, isConfirmed: false)
        drain(then: .kept, &turn)
        return true
    }

    /// No answer can be had, and something old may stand in for it (RFC 5861 4); true when that is what comes.
    func standsIn(for kind: Failure.Kind, _ turn: inout Turn) -> Bool {
        guard hop.$standIn.isPresent, let standIn = hop.standIn, kind.isOfNetwork else { return false }
        hop.standIn = nil
        hop.cachePhase = .answers(standIn, isConfirmed: false)
        // The server has had its time: the cache has its own.
        timeouts.stopWaiting()
        return true
    }

    /// The server was silent for too long, and nothing of its answer has been told: a gateway would say 504.
    func standsInForSilence(_ turn: inout Turn) -> Bool {
        switch stage {
        case .waitingForConnection:
            guard standsIn(for: .timedOut, &turn) else { return false }
            turn.outputs.append(.withdraw)
        case .awaitingHead:
            guard standsIn(for: .timedOut, &turn) else { return false }
            abandon(&turn)
        default: return false
        }
        begin(&turn)
        return true
    }

    /// A final answer has come, over a connection: what it makes of the cache (RFC 9111 3, 4.4).
    func collect(_ head: ResponseHead, _ turn: inout Turn) {
        guard plan.usesCache, request.method == "GET", hop.cachePhase != .unasked,
            plan.cacheRule.hears(head.fields), let key = cacheKey()
        else { return }
        let sent = sentFields, asked = attempt.asked ?? turn.moment
        switch StoreDecision.decide(request.method, sent: sent.own, status: head.status, fields: head.fields) {
        case .keep: break
        case .outdate: return turn.outputs.append(.cache(.outdate(OutdatingAnswer(to: sent, for: key, asked: asked))))
        case .ignore: return
        }
        let fields = head.fields.fields
        guard let variant = Variant(of: fields, to: sent.all) else { return }
        var response = StoredResponse(
            status: head.status, fields: StoreDecision.kept(fields), asked: asked.date, received: turn.moment.date,
            variant: variant)
        response.isProtected = request.url.scheme?.equalsIgnoringCase("https") == true && knowsEnd(of: head)
        collect(KeepableResponse(response, for: key, asked: attempt.asked?.instant), head, &turn)
    }

    func collect(_ kept: KeepableResponse, _ head: ResponseHead, _ turn: inout Turn) {
        attempt.isCollected = true
        turn.outputs.append(.cache(.collect(kept, isAsked: asksAboutKeeping(head))))
    }

    /// Its body has an end of its own, which no lost connection can be taken for (RFC 8246 3).
    private func knowsEnd(of head: ResponseHead) -> Bool {
        // Of a list with `chunked` it is the last: the reader refuses others (RFC 9112 6.1).
        attempt.bodyLength != nil || head.status == 204
            || head.fields.members("Transfer-Encoding").contains {
                $0.trimmingWhitespace.equalsIgnoringCase("chunked")
            }
    }

    func forgetOutdated(by head: ResponseHead, _ turn: inout Turn) {
        // Even where nothing is kept: what is on its way to be is outdated, too.
        guard settings.hasCache, !HTTPMethod.isSafe(request.method) else { return }
        let keys = CacheInvalidation.keys(
            request.method, request.url, status: head.status, fields: head.fields.fields)
        if !keys.isEmpty { turn.outputs.append(.cache(.forget(keys))) }
    }

    /// A redirect is kept without its body, which nobody reads (BEHAVIOUR 2.D5-redirect).
    func keepRedirect(_ head: ResponseHead, _ turn: inout Turn) {
        collect(head, &turn)
        if attempt.isCollected { turn.outputs.append(.cache(.keep)) }
        attempt.isCollected = false
    }

    func dropCollected(_ turn: inout Turn) {
        guard attempt.isCollected else { return }
        attempt.isCollected = false
        turn.outputs.append(.cache(.drop))
    }

    /// The body is whole. The delegate may have its word about what is kept (BEHAVIOUR 1.B11-store); true when it is
    /// asked.
    func keepCollected(_ turn: inout Turn) -> Bool {
        guard attempt.isCollected else { return false }
        attempt.isCollected = false
        guard let head = attempt.head, asksAboutKeeping(head) else {
            turn.outputs.append(.cache(.keep))
            return false
        }
        ask(.willCache, .willCache, &turn)
        return true
    }

    private func asksAboutKeeping(_ head: ResponseHead) -> Bool {
        plan.asks.contains(.willCache) && 200...299 ~= head.status
    }

    // MARK: - The request

    /// What its answers are kept under; made once.
    private func cacheKey() -> CacheKey? {
        if hop.cacheKey == nil { hop.cacheKey = CacheKey(request.url) }
        return hop.cacheKey
    }

    /// What it says itself, of its own or by its session.
    private var requestFields: Fields {
        var fields = request.fields
        fields.fill(from: isAtHome ? settings.additionalFields : settings.forStrangers.additionalFields)
        return fields
    }

    /// As they go out, for a cache's comparison (RFC 9111 4.1).
    private var sentFields: SentFields {
        var fields = SentFields(
            own: requestFields,
            defaults: settings.defaultFields.fields(isSecure: CookieAcceptance.isSecure(request.url)),
            cookies: attempt.cookies)
        // What it will say is not known before it goes out: it is like nothing that is kept.
        if let sent = attempt.authorization?.value {
            fields.authorization = SecretText(sent)
        } else if mayBeAuthorized, chosenAuthorization != nil {
            fields.authorization = SecretText(TaskMachine.unknown)
        }
        return fields
    }
}

extension Failure.Kind {
    /// There was no answer, and nobody was found to be somebody else.
    fileprivate var isOfNetwork: Bool {
        switch self {
        case .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .notConnectedToInternet, .timedOut: true
        default: false
        }
    }
}
