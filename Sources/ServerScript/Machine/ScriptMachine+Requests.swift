import HTTPBasics
import NIOCore

/// From a request's head to the point where its answer may begin.
extension ScriptMachine {
    func begin(_ received: ReceivedHead, on connection: ServerConnection) {
        let signed = behindNegotiate(behindNTLM(received, connection), connection)
        connection.exchangeIndex += 1
        connection.isFresh = false
        guard let received = enterScope(signed, connection) else { return }
        startOver(for: connection)
        connection.played = nil
        number(connection)
        // A connection is read before its requests name a scope: what was passed over there is wrong for this script.
        if let note = received.notes.first, connection.scope.state.script.reading == .strict {
            record(received, lane: nil, connection)
            let violation = Violation("malformed request: \(note)", kind: .malformed)
            return reject(violation, of: received, status: 400, on: connection)
        }
        let (head, source) = choose(received, connection)
        guard let source else {
            record(head, lane: nil, connection)
            if let host = tunnelled(head, connection) { return tunnel(to: host, connection) }
            return reject(nearMiss(head, received, connection), of: head, status: 404, on: connection)
        }
        // Where there are steps a round is about them; without any, routes make one.
        let state = connection.scope.state
        if state.board.lanes.isEmpty { touch(state) }
        let exchange = ActiveExchange(head, source: source, state)
        connection.phase = .exchange(exchange)
        var shown: String?
        if case .route(let plan) = source { shown = plan.shownTarget }
        let lane = exchange.turn.flatMap { state.board.lanes[$0.lane].label }
        record(head, shown: shown, lane: lane, connection)
        switch source {
        case .step(let turn): begin(turn, exchange, connection)
        case .route(let plan): begin(plan, exchange, connection)
        case .routes(let plans): exchange.checks = plans.map { bodyChecks($0, exchange) }
        case .otherwise: adoptOtherwise(exchange, connection)
        }
    }

    /// Connections count in the order of their first requests of a round.
    private func number(_ connection: ServerConnection) {
        let state = connection.scope.state
        guard connection.numberedIn !== state else { return }
        state.usedConnections += 1
        connection.number = state.usedConnections
        connection.numberedIn = state
    }

    /// Message 3 is judged by those before it on its connection.
    private func behindNTLM(_ head: ReceivedHead, _ connection: ServerConnection) -> ReceivedHead {
        var message: [UInt8]?
        if case .http = connection.scope.state.script.proxies[connection.host] {
            message = NTLMVerification.message(in: head.fields.values("Proxy-Authorization"))
        }
        message = message ?? NTLMVerification.message(in: head.fields.values("Authorization"))
        guard let message else { return head }
        guard NTLMReader(message)?.kind == 3, let exchange = connection.ntlm else {
            connection.ntlm = NTLMExchange(first: message)
            return head
        }
        // A proof counts once.
        connection.ntlm = nil
        return ReceivedHead(head, behind: exchange)
    }

    /// A token is judged by the server's own on its connection, which it answers; each counts once.
    private func behindNegotiate(_ head: ReceivedHead, _ connection: ServerConnection) -> ReceivedHead {
        guard let token = connection.negotiated else { return head }
        connection.negotiated = nil
        return head.behind(token)
    }

    private func begin(_ turn: LaneBoard.Turn, _ exchange: ActiveExchange, _ connection: ServerConnection) {
        let state = exchange.state, board = state.board
        guard let planned = state.plan.steps[turn.step] else { return }
        takeStep(on: connection)
        exchange.hold()
        board.take(turn, on: connection.id, written: connection.written)
        board.beginReading(turn.lane, on: connection.id)
        if board.lanes[turn.lane].label == nil {
            connection.hasUnlabelledSteps = true
        } else {
            connection.lane = turn.lane
        }
        begin(planned, exchange, connection)
        let idle = exchange.faults.list.filter { $0.landmark.kind == .idle }
        if !idle.isEmpty, !turn.isReplay { board.owe(idle, of: turn.step) }
    }

    private func begin(_ planned: PlannedExchange, _ exchange: ActiveExchange, _ connection: ServerConnection) {
        adopt(planned, exchange, connection)
        if planned.hasBodyConditions { exchange.checks = [bodyChecks(planned, exchange)] }
    }

    private func adopt(_ planned: PlannedExchange, _ exchange: ActiveExchange, _ connection: ServerConnection) {
        if case .route(let index) = planned.place { exchange.state.use(index) }
        for case .ntlm(let challenge) in planned.scripted.reply?.challenges ?? [] {
            if let bytes = challenge.bytes { connection.ntlm?.second = bytes }
        }
        for case .negotiate(let token) in planned.scripted.reply?.challenges ?? [] { connection.negotiated = token }
        changeState(exchange, planned, connection)
        exchange.adopt(planned, faults: planned.faults.compactMap { draw($0, place: planned.place, connection) })
    }

    private func adoptOtherwise(_ exchange: ActiveExchange, _ connection: ServerConnection) {
        if let otherwise = exchange.state.plan.otherwise { adopt(otherwise, exchange, connection) }
    }

    private func bodyChecks(_ planned: PlannedExchange, _ exchange: ActiveExchange) -> [BodyCheck] {
        BodyCheck.all(for: planned.scripted.request, head: exchange.request, store: contents) {
            let document = exchange.document ?? ReceivedDocument(documents)
            exchange.document = document
            return document
        }
    }

    func record(_ head: ReceivedHead, shown: String? = nil, lane: String?, _ connection: ServerConnection) {
        let fields = Secrets.kept(head.fields)
        let request = RecordedRequest(
            method: head.method, target: shown ?? head.shownTarget, fields: fields, lane: lane,
            host: connection.servedHost)
        connection.scope.state.requestCount += 1
        journal(.request(request), connection)
        for note in head.notes { journal(.noted(note), connection) }
    }

    func advanceRequest(_ exchange: ActiveExchange, _ connection: ServerConnection) -> Bool {
        switch exchange.stage {
        case .requestHead:
            if fire(exchange, connection, at: .requestHead) { return true }
            beginUpload(exchange, connection)
            if sendContinue(exchange, connection) { return true }
            exchange.stage = .requestBody
        case .requestBody: return readBody(exchange, connection)
        case .requestRead:
            if fire(exchange, connection, at: .request) { return true }
            exchange.stage = .delayed
            wait(exchange.plan?.reply.map { delay(of: $0, exchange.state) } ?? .zero, connection)
        case .delayed: prepareAnswer(exchange, connection)
        case .answering: return false
        }
        return true
    }

    /// A 100 that the script has goes out before the body of a client that waits for it (RFC 9110 10.1.1). Where it has
    /// none, a lenient server that will read the body sends its own.
    private func sendContinue(_ exchange: ActiveExchange, _ connection: ServerConnection) -> Bool {
        guard exchange.request.expectsContinue else { return false }
        let goal = exchange.interims.leadingContinues
        if let move = exchange.interims.next(upTo: goal, faults: &exchange.faults) {
            carryOut(move, exchange, connection)
            return true
        }
        if exchange.state.script.reading == .lenient, exchange.mayContinue, connection.reader.bufferedBytes == 0 {
            write(Interim(status: 100).bytes, on: connection)
            journal(.answered(status: 100), connection)
        }
        return false
    }

    private func readBody(_ exchange: ActiveExchange, _ connection: ServerConnection) -> Bool {
        let count = exchange.recorder.count
        if fire(exchange, connection, at: .requestBody(count)) { return true }
        let cut = exchange.faults.nextPosition(from: count) { landmark in
            if case .requestBody(let position) = landmark { return position }
            return nil
        }
        let most = min(exchange.readLimit, cut ?? .max) - count
        switch connection.reader.next(bodyLimit: min(most, exchange.readPace?.piece ?? .max)) {
        case .body(let bytes):
            take(bytes, exchange)
            if let due = exchange.readPace?.due(bytes.readableBytes, now: moment.instant) {
                connection.pause = .paced(due)
            }
        case .end: requestRead(exchange, connection)
        case .malformed(let text):
            let violation = Violation("malformed request body: \(text)", kind: .malformed)
            reject(violation, of: exchange.request, status: 400, on: connection)
        case .head, nil:
            if count >= exchange.readLimit {
                exchange.leavesBodyUnread = true
                connection.holdsReading = true
                requestRead(exchange, connection)
                return true
            }
            guard connection.inputClosed else { return false }
            journalBrokenRequest(connection)
            leave(connection)
            return false
        }
        return true
    }

    private func requestRead(_ exchange: ActiveExchange, _ connection: ServerConnection) {
        exchange.state.board.endReading(on: connection.id)
        if exchange.request.framing != .none { journal(.requestBody(exchange.recorder.record), connection) }
        exchange.stage = .requestRead
        settleBody(exchange, connection)
        if exchange.owesChanges, let plan = exchange.plan { changeState(exchange, plan, connection) }
        // Refused, or about to be.
        guard connection.exchange === exchange else { return }
        endUpload(exchange, connection)
        settleImprovised(exchange)
    }

    /// Judges the body; among several routes the first whose body fits is the one.
    private func settleBody(_ exchange: ActiveExchange, _ connection: ServerConnection) {
        var misses: [[String]] = []
        // Nobody looks at the body any more.
        defer { (exchange.checks, exchange.document) = ([], nil) }
        for list in exchange.checks.indices {
            var found: [String] = []
            for index in exchange.checks[list].indices { found += exchange.checks[list][index].finish() }
            if case .routes(let plans) = exchange.source {
                // Another request may have changed the state since the head was read.
                found += stateDifferences(plans[list].scripted.request, exchange.request, exchange.state).map(\.text)
            }
            if found.isEmpty {
                if case .routes(let plans) = exchange.source {
                    // The request is read by now, so only what comes after it can still happen.
                    exchange.source = .route(plans[list])
                    adopt(plans[list], exchange, connection)
                }
                return store(exchange)
            }
            misses.append(found)
        }
        if !misses.isEmpty { refuseBody(exchange, misses, connection) }
    }

    /// `misses` has what is wrong with the body for each exchange that it could have been for.
    func refuseBody(_ exchange: ActiveExchange, _ misses: [[String]], _ connection: ServerConnection) {
        if exchange.turn == nil, exchange.state.plan.otherwise != nil { return adoptOtherwise(exchange, connection) }
        reject(bodyMiss(exchange, misses, connection), of: exchange.request, status: 404, on: connection)
    }

    /// A slice that is as it should be counts for its target.
    private func store(_ exchange: ActiveExchange) {
        guard exchange.plan?.scripted.request.sliceOf != nil,
            let slice = try? SliceRange.parse(exchange.request.fields.values("Content-Range"))
        else { return }
        let target = exchange.request.target
        let state = exchange.state
        guard state.assemblies[target] != nil || state.assemblies.count < Assembly.targetLimit else { return }
        state.assemblies[target, default: Assembly(size: slice.size)].insert(slice.range)
    }

    private func bodyMiss(
        _ exchange: ActiveExchange, _ misses: [[String]], _ connection: ServerConnection
    ) -> Violation {
        let request = "\(exchange.request.method) \(excerpt(Secrets.shown(exchange.request.shownTarget)))"
        let summary = "\(request) on connection #\(connection.id.value) has the wrong body"
        let plans =
            if case .routes(let plans) = exchange.source { plans } else { [exchange.plan].compactMap(\.self) }
        let candidates = zip(plans, misses).map { plan, differences in
            let what = exchange.turn == nil ? "the route" : "the step"
            return NearMiss.Contender(
                mark: plan.mark, title: "\(what) \(plan.scripted.request.summary)",
                differences: differences.map { Difference($0) })
        }
        return NearMiss.violation(of: candidates) { _ in summary }
    }
}
