import HTTPBasics

/// Which step or route a request is for.
extension ScriptMachine {
    /// Its lane's next step, then the lane without a label, then lanes that have no connection yet, then routes.
    func choose(_ head: RequestHead, _ connection: ServerConnection) -> ActiveExchange.Source? {
        for lane in lanes(for: connection) {
            if let turn = turn(lane, head, connection) { return .step(turn) }
        }
        let routes = routes(for: head, connection)
        if !routes.isEmpty { return .routes(routes) }
        if let turn = displaced(head, connection) { return .step(turn) }
        return script.otherwise == nil ? nil : .otherwise
    }

    /// After a cut: whatever is owed and fits, wherever it stands. The fields may differ as well, since a request such
    /// as one for the rest of a file depends on how much came through.
    private func displaced(_ head: RequestHead, _ connection: ServerConnection) -> LaneBoard.Turn? {
        let turns = board.displaced
        return turns.first { matches($0.step, head, connection) }
            ?? turns.first { matches($0.step, head, connection, lineOnly: true) }
    }

    private func lanes(for connection: ServerConnection) -> [Int] {
        var lanes: [Int] = []
        if let lane = connection.lane, board.lanes[lane].peer == connection.id { lanes.append(lane) }
        if let lane = board.unlabelled { lanes.append(lane) }
        if connection.lane == nil, !connection.hasUnlabelledSteps {
            lanes += board.inFileOrder.filter { board.lanes[$0].label != nil && board.lanes[$0].peer == nil }
        }
        return lanes
    }

    private func turn(_ lane: Int, _ head: RequestHead, _ connection: ServerConnection) -> LaneBoard.Turn? {
        if let step = board.lanes[lane].replay, matches(step, head, connection) {
            return LaneBoard.Turn(lane: lane, step: step, isReplay: true)
        }
        guard board.lanes[lane].reader == nil, let step = board.next(lane), matches(step, head, connection) else {
            return nil
        }
        return LaneBoard.Turn(lane: lane, step: step, isReplay: false)
    }

    private func matches(
        _ step: Int, _ head: RequestHead, _ connection: ServerConnection, lineOnly: Bool = false
    ) -> Bool {
        guard case .exchange(let exchange) = script.steps[step].action else { return false }
        var request = exchange.request
        if lineOnly { request = RequestMatch(request.method, request.target) }
        return board.host(of: step) == connection.host && request.differences(from: head).isEmpty
    }

    /// The first route whose head fits; when it also has conditions on the body, those behind it stand by.
    private func routes(for head: RequestHead, _ connection: ServerConnection) -> [Int] {
        var found: [Int] = []
        for (index, route) in script.routes.enumerated() {
            guard (route.host ?? script.hosts.first) == connection.host,
                route.exchange.request.differences(from: head).isEmpty
            else { continue }
            found.append(index)
            guard route.exchange.canWaitForBody else { break }
        }
        return found
    }

    func nearMiss(_ head: RequestHead, _ connection: ServerConnection) -> Violation {
        NearMiss(script: script, board: board, connection: connection) { self.connections[$0] != nil }
            .violation(for: head)
    }
}

extension Exchange {
    /// Whether the choice of this exchange may be left to the request's body: nothing happens before its end.
    fileprivate var canWaitForBody: Bool {
        let hasEarlyFault = [fault, reply?.fault].contains { fault in
            fault.map { [.requestHead, .requestBody].contains($0.landmark.kind) } ?? false
        }
        let hasContinue = reply?.interim.first?.status == 100
        return (request.body != nil || request.multipart != nil) && readBody == .all && !hasEarlyFault && !hasContinue
    }
}
