import HTTPBasics
import MachineContract
import NIOCore

/// What tasks want, and what happens to them as a whole.
extension ClientMachine {
    func start(_ id: TaskID, _ plan: TaskPlan, suspended: Bool, _ turn: inout Turn) {
        guard tasks[id] == nil else { return turn.outputs.append(.bug("task \(id.value) started twice")) }
        guard invalidation == .none else {
            // Made on an invalidated session: no trap, the task completes as cancelled (BEHAVIOUR 1.H1).
            let failure = Failure(.cancelled, .caller, "The session is invalid.", url: plan.request.url)
            return turn.outputs.append(.tell(id, .complete(failure)))
        }
        tasks[id] = Slot(
            TaskMachine(
                plan: plan, settings: shared, admitted: admitted, cookies: cookies, cache: cache, path: path,
                at: turn.moment))
        step(id, .start(suspended: suspended), &turn)
    }

    func answered(_ question: QuestionID, _ answer: UserAnswer, _ turn: inout Turn) {
        // A question that is no longer open: answered twice, or its task was interrupted. Both are expected races.
        guard let owner = questions.removeValue(forKey: question) else { return }
        switch (owner, answer) {
        case (.task(let task), _): step(task, .answer(answer), &turn)
        case (.dial(let dial), .connection(let answer)): answered(dial, answer, &turn)
        case (.dial(let dial), .challenge(let answer)): answered(dial, answer, &turn)
        case (.dial, _): turn.outputs.append(.bug("a dial hears an answer that is a task's"))
        }
    }

    func negotiated(_ id: TaskID, _ number: Int, _ answer: NegotiateAnswer, _ turn: inout Turn) {
        if number < 0 { return negotiated(QuestionID(-number), answer, &turn) }
        guard let slot = tasks[id] else { return }
        let connection = slot.connection.flatMap { $0.phase == .open ? $0 : nil }
        connection?.isHeld = false
        step(id, .negotiated(number: number, answer, isConnected: connection != nil), &turn)
    }

    func invalidate(cancelling: Bool, _ turn: inout Turn) {
        if invalidation == .none { invalidation = .finishing }
        guard cancelling else { return }
        for id in tasks.keys.sorted() {
            step(id, .cancel(keepingResumeData: false), &turn)
        }
    }

    /// The session's last word, once its last task has had its own (BEHAVIOUR 1.B20).
    func announceInvalidation(_ turn: inout Turn) {
        guard invalidation == .finishing, tasks.isEmpty else { return }
        invalidation = .told
        for id in dials.keys.sorted() { end(id, &turn) }
        for id in connections.keys.sorted() { dropConnection(id, &turn) }
        // No deadline of an idle connection may outlive the session.
        pool = ConnectionPool(limit: settings.connectionsPerHost, patience: settings.patience)
        turn.outputs.append(.invalidated)
    }

    func perform(_ output: TaskOutput, for id: TaskID, _ slot: Slot, _ turn: inout Turn) {
        switch output {
        case .acquire(let origin, let need):
            acquire(route(of: slot, to: origin), need, for: id, slot, &turn)
        case .keep(let origin, let need):
            keep(route(of: slot, to: origin), need, for: id, slot, &turn)
        case .negotiate(let call):
            slot.connection?.isHeld = slot.machine.stage == .negotiating(.setsOut)
            turn.outputs.append(.negotiate(id, call))
        case .signedIn:
            slot.connection?.isSignedIn = true
        case .load(let request, let isAtHome):
            beginLoad(.begin(request, isAtHome: isAtHome), for: id, slot, &turn)
        case .loadKept(let index):
            beginLoad(.beginKept(index, slot.machine.request), for: id, slot, &turn)
        case .cache(let action):
            turn.outputs.append(.cache(id, action))
        case .watchPath:
            turn.outputs.append(.watchPath)
        case .withdraw:
            withdraw(id, slot, &turn)
        case .begin(let start):
            guard let codec = openCodec(slot, &turn) else { return }
            let headBytes = codec.begin(id, slot.machine.head, start, into: &turn.outputs)
            slot.machine.log?.requestBegan(
                headBytes: headBytes, isWhole: start.isAbsent)
        case .send(let part):
            openCodec(slot, &turn)?.send(part, of: id, into: &turn.outputs)
        case .openBodyFile(let file):
            turn.outputs.append(.openBodyFile(id, file))
        case .readBody(let stream):
            turn.outputs.append(.readBody(id, stream))
        case .release:
            if endLoad(of: id, slot, &turn) { return }
            guard let connection = slot.detach(id) else {
                return turn.outputs.append(.bug("release without a connection"))
            }
            release(connection, isGood: connection.codec.end(id), &turn)
        case .abandon:
            if endLoad(of: id, slot, &turn) { return }
            guard let connection = slot.detach(id) else { return }
            release(connection, isGood: connection.codec.abandon(id), &turn)
        case .tell(.data(let bytes)):
            tellData(bytes, to: id, slot, &turn)
        case .tell(let call):
            turn.outputs.append(.tell(id, call))
        case .ask(let question):
            let number = nextQuestionID()
            slot.question = number
            questions[number] = .task(id)
            turn.outputs.append(.ask(id, number, lookingAhead(question, of: id, slot)))
        case .storeCookies(let lines, let url):
            turn.outputs.append(.storeCookies(id, lines, from: url))
        case .file(.write(let bytes)):
            writeToFile(bytes, of: id, slot, &turn)
        case .file(let action):
            turn.outputs.append(.file(id, action))
        case .yield:
            turn.outputs.append(.yield(id))
        case .finished:
            if let question = slot.question { questions[question] = nil }
            tasks[id] = nil
            deadlines.remove(id)
        case .bug(let text):
            turn.outputs.append(.bug("task \(id.value): \(text)"))
        }
    }

    private func route(of slot: Slot, to origin: Origin) -> ConnectionRoute {
        ConnectionRoute(
            to: origin, trustScope: slot.machine.trustScope, proxy: slot.machine.hop.$proxy,
            user: slot.machine.$connectionUser, codePoint: slot.machine.codePoint)
    }

    /// Adds what the connection holds already: a user who answers at once need not wait for the machine to say it.
    private func lookingAhead(_ question: UserQuestion, of id: TaskID, _ slot: Slot) -> UserQuestion {
        guard case .response(let response, nil) = question, slot.machine.isForeseeable,
            let rest = slot.connection?.codec.wholeRest(for: id) ?? slot.load?.wholeRest
        else { return question }
        return .response(response, rest: rest)
    }

    /// A task wants no connection any more. A dial that no task waits for then ends (BEHAVIOUR 2.F11-end).
    private func withdraw(_ id: TaskID, _ slot: Slot, _ turn: inout Turn) {
        if let route = slot.place?.route {
            endQuestion(of: id, route, &turn)
            if pool.withdraw(id, route) { giveUpOne(of: route, &turn) }
        }
        slot.place = nil
        if let connection = slot.detach(id) { close(connection.id, &turn) }
    }

    /// What the task's connection speaks, unless it is gone: what is said then is lost with it.
    private func openCodec(_ slot: Slot, _ turn: inout Turn) -> (any Codec)? {
        guard let connection = slot.connection else {
            turn.outputs.append(.bug("a request without a connection"))
            return nil
        }
        return connection.phase == .open ? connection.codec : nil
    }
}
