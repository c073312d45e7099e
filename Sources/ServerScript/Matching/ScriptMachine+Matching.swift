import HTTPBasics

/// Which step or route a request is for.
extension ScriptMachine {
    /// What a request is for, and the request as that is compared with it.
    func choose(
        _ head: ReceivedHead, _ connection: ServerConnection
    ) -> (head: ReceivedHead, source: ActiveExchange.Source?) {
        connection.servedHost = connection.host
        patternWork.begin()
        let proxied = connection.scope.state.proxied
        guard case .http = connection.scope.state.script.proxies[connection.host] else {
            return (head, choice(head, connection))
        }
        if head.method == "CONNECT" {
            let named = proxied.host(authority: head.target).map { "$origin.\($0)" }
            let asked = head.renamed(named: named ?? head.target, by: proxied.said(connection.host))
            return (asked, scripted(asked, connection))
        }
        let place = proxied.host(url: head.target), asked = asked(head, by: connection)
        if let source = scripted(asked, connection) { return (asked, source) }
        guard let place else { return (asked, choice(asked, connection)) }
        // What the script does not say of the proxy, the host does that is meant.
        connection.servedHost = place.host
        let passed = head.renamed(target: place.target)
        return (passed, choice(passed, connection))
    }

    /// A request that is to be sent on, in the script's words.
    private func asked(_ head: ReceivedHead, by proxy: ServerConnection) -> ReceivedHead {
        let proxied = proxy.scope.state.proxied
        let named = proxied.host(url: head.target).map { "$origin.\($0.host)\($0.target)" }
        return head.renamed(named: named ?? head.target, by: proxied.said(proxy.host))
    }

    private func choice(_ head: ReceivedHead, _ connection: ServerConnection) -> ActiveExchange.Source? {
        if let source = scripted(head, connection) { return source }
        if let preflight = preflight(head, connection) { return .route(preflight) }
        return improvised(head, connection) ?? (connection.scope.state.plan.otherwise == nil ? nil : .otherwise)
    }

    /// A browser asks whether a page of another origin may send a request (Fetch 3.2.2): yes, if it is for a route that
    /// says so, or if the whole script does and no route that it is for says otherwise.
    private func preflight(_ head: ReceivedHead, _ connection: ServerConnection) -> PlannedExchange? {
        guard head.method == "OPTIONS", let origin = CrossOrigin(head), let method = origin.method else { return nil }
        let plan = connection.scope.state.plan
        let isShared = connection.scope.state.script.isShared
        let asked = head.renamed(method: method), asGET = isTakenAsGET(asked, connection.scope.state)
        let meant = plan.routes.filter { route in
            route.host == connection.servedHost
                && (route.match.matchesLine(asked) || asGET && route.match.matchesLine(asked, asGET: true))
        }
        let isAllowed = meant.isEmpty ? isShared : meant.contains { $0.scripted.isShared ?? isShared }
        return isAllowed ? plan.preflight : nil
    }

    /// Its lane's next step, then the lane without a label, then lanes that have no connection yet, then routes.
    private func scripted(_ head: ReceivedHead, _ connection: ServerConnection) -> ActiveExchange.Source? {
        if let turn = turn(head, connection) { return .step(turn) }
        if let routes = routes(for: head, connection) { return routes }
        return displaced(head, connection).map { .step($0) }
    }

    /// After a cut: any step that is owed and fits, in any place. The fields may differ as well, since a request such
    /// as one for the rest of a file depends on how much came through.
    private func displaced(_ head: ReceivedHead, _ connection: ServerConnection) -> LaneBoard.Turn? {
        let turns = connection.scope.state.board.displaced
        return turns.first { matches($0.step, head, connection) }
            ?? turns.first { matches($0.step, head, connection, lineOnly: true) }
    }

    private func turn(_ head: ReceivedHead, _ connection: ServerConnection) -> LaneBoard.Turn? {
        let board = connection.scope.state.board
        if board.lanes.isEmpty { return nil }
        if let lane = connection.lane, board.lanes[lane].peer == connection.id,
            let turn = turn(lane, head, connection)
        {
            return turn
        }
        if let lane = board.unlabelled, let turn = turn(lane, head, connection) { return turn }
        guard connection.lane == nil, !connection.hasUnlabelledSteps else { return nil }
        for lane in board.inFileOrder where board.lanes[lane].label != nil && board.lanes[lane].peer == nil {
            if let turn = turn(lane, head, connection) { return turn }
        }
        return nil
    }

    private func turn(_ lane: Int, _ head: ReceivedHead, _ connection: ServerConnection) -> LaneBoard.Turn? {
        let board = connection.scope.state.board
        if let step = board.lanes[lane].replay, matches(step, head, connection) {
            return LaneBoard.Turn(lane: lane, step: step, isReplay: true)
        }
        guard board.lanes[lane].reader == nil, let step = board.next(lane), matches(step, head, connection) else {
            return nil
        }
        return LaneBoard.Turn(lane: lane, step: step, isReplay: false)
    }

    private func matches(
        _ step: Int, _ head: ReceivedHead, _ connection: ServerConnection, lineOnly: Bool = false
    ) -> Bool {
        guard let planned = connection.scope.state.plan.steps[step], planned.host == connection.servedHost else {
            return false
        }
        return lineOnly ? planned.match.matchesLine(head) : matches(planned, head, connection)
    }

    private func matches(
        _ planned: PlannedExchange, _ head: ReceivedHead, _ connection: ServerConnection, asGET: Bool = false
    ) -> Bool {
        planned.match.matches(head, at: connection.place, patternWork, asGET: asGET)
            && isInState(planned, head, connection.scope.state)
            && (!planned.scripted.request.isWhole || connection.scope.state.assemblies[head.target]?.isWhole == true)
    }

    /// The first route whose head fits; when it also has conditions on the body, those behind it stand by.
    ///
    /// A HEAD is answered as its GET would be, without the body (RFC 9110 9.3.2), unless a route says something of it.
    private func routes(for head: ReceivedHead, _ connection: ServerConnection) -> ActiveExchange.Source? {
        let asGET = isTakenAsGET(head, connection.scope.state)
        return routes(for: head, connection, asGET: false) ?? (asGET ? routes(for: head, connection, asGET: true) : nil)
    }

    private func isTakenAsGET(_ head: ReceivedHead, _ state: ScriptState) -> Bool {
        head.method == "HEAD" && !state.plan.knowsHead
    }

    private func routes(
        for head: ReceivedHead, _ connection: ServerConnection, asGET: Bool
    ) -> ActiveExchange.Source? {
        var found: [PlannedExchange] = []
        let state = connection.scope.state
        for route in state.plan.routes
        where route.host == connection.servedHost && matches(route, head, connection, asGET: asGET)
            && !isUsedUp(route, state)
        {
            guard route.canWaitForBody else {
                if found.isEmpty { return .route(route) }
                return .routes(found + [route])
            }
            found.append(route)
        }
        switch found.count {
        case 0: return nil
        case 1: return .route(found[0])
        default: return .routes(found)
        }
    }

    private func isUsedUp(_ route: PlannedExchange, _ state: ScriptState) -> Bool {
        guard case .route(let index) = route.place, let times = state.script.routes[index].times else { return false }
        return state.routeUses[index, default: 0] >= times
    }

    private func places(besides connection: ServerConnection) -> [String] {
        guard ScriptMount.label(of: connection.scope.name).isEmpty else { return [] }
        return mounts.map(\.mount.place.text).sorted()
    }

    /// - Parameter received: The same as it came.
    func nearMiss(_ head: ReceivedHead, _ received: ReceivedHead, _ connection: ServerConnection) -> Violation {
        let state = connection.scope.state
        let isWhole = state.assemblies[head.target]?.isWhole ?? false
        let asked = connection.servedHost == connection.host ? nil : asked(received, by: connection)
        let standing: (Exchange, Int?, ReceivedHead) -> [Difference] = { exchange, route, head in
            state.useDifferences(route) + self.stateDifferences(exchange.request, head, state)
        }
        var violation = NearMiss(
            script: state.script, board: state.board, connection: connection, isWhole: isWhole, asked: asked,
            standing: standing, places: places(besides: connection), work: PatternWork(),
            asGET: isTakenAsGET(head, state)
        ) {
            self.connections[$0] != nil
        }
        .violation(for: head)
        if let improviser {
            violation.differences += improviser.nearest(to: head)
            if !violation.closest.isEmpty { violation.closest[0].differences = violation.differences }
        }
        return violation
    }
}
