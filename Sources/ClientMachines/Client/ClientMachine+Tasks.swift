import HTTPBasics
import MachineContract
import NIOCore

/// What tasks want, and what happens to them as a whole.
extension ClientMachine {
    func start(
        _ id: TaskID, _ plan: TaskPlan, suspended: Bool, at moment: Moment, into outputs: inout [ClientOutput]
    ) {
        guard tasks[id] == nil else { return outputs.append(.bug("task \(id.value) started twice")) }
        guard invalidation == .none else {
            // Made on an invalidated session: no trap, the task completes as cancelled (BEHAVIOUR 1.H1).
            let failure = Failure(.cancelled, .caller, "The session is invalid.", url: plan.request.url)
            return outputs.append(.tell(id, .complete(failure)))
        }
        tasks[id] = Slot(TaskMachine(plan: plan, settings: settings, at: moment))
        step(id, .start(suspended: suspended), at: moment, into: &outputs)
    }

    func answered(
        _ question: QuestionID, _ answer: UserAnswer, at moment: Moment, into outputs: inout [ClientOutput]
    ) {
        // A question that is no longer open: answered twice, or its task was interrupted. Both are expected races.
        guard let task = questions.removeValue(forKey: question) else { return }
        step(task, .answer(answer), at: moment, into: &outputs)
    }

    func invalidate(cancelling: Bool, at moment: Moment, into outputs: inout [ClientOutput]) {
        if invalidation == .none { invalidation = .finishing }
        guard cancelling else { return }
        for id in tasks.keys.sorted() {
            step(id, .cancel(keepingResumeData: false), at: moment, into: &outputs)
        }
    }

    /// The session's last word, once its last task has had its own (BEHAVIOUR 1.B20).
    func announceInvalidation(into outputs: inout [ClientOutput]) {
        guard invalidation == .finishing, tasks.isEmpty else { return }
        invalidation = .told
        for id in dials.keys.sorted() { end(id, into: &outputs) }
        for id in connections.keys.sorted() { dropConnection(id, into: &outputs) }
        // No deadline of an idle connection may outlive the session.
        pool = ConnectionPool(limit: settings.connectionsPerHost, patience: settings.patience)
        outputs.append(.invalidated)
    }

    func perform(
        _ output: TaskOutput, for id: TaskID, _ slot: Slot, at moment: Moment, into outputs: inout [ClientOutput]
    ) {
        switch output {
        case .acquire(let origin, let need):
            acquire(ConnectionRoute(to: origin), need, for: id, slot, at: moment, into: &outputs)
        case .load(let request, let isAtHome):
            beginLoad(request, isAtHome: isAtHome, for: id, slot, into: &outputs)
        case .withdraw:
            withdraw(id, slot, into: &outputs)
        case .begin(let start):
            guard let codec = openCodec(slot, into: &outputs) else { return }
            let headBytes = codec.begin(id, slot.machine.head, start, into: &outputs)
            slot.machine.log?.requestBegan(
                headBytes: headBytes, isWhole: start.isAbsent)
        case .send(let part):
            openCodec(slot, into: &outputs)?.send(part, of: id, into: &outputs)
        case .openBodyFile(let file):
            outputs.append(.openBodyFile(id, file))
        case .readBody(let stream):
            outputs.append(.readBody(id, stream))
        case .release:
            if endLoad(of: id, slot, into: &outputs) { return }
            guard let connection = slot.detach(id) else { return outputs.append(.bug("release without a connection")) }
            release(connection, isGood: connection.codec.end(id), at: moment, into: &outputs)
        case .abandon:
            if endLoad(of: id, slot, into: &outputs) { return }
            guard let connection = slot.detach(id) else { return }
            release(connection, isGood: connection.codec.abandon(id), at: moment, into: &outputs)
        case .tell(.data(let bytes)):
            tellData(bytes, to: id, slot, into: &outputs)
        case .tell(let call):
            outputs.append(.tell(id, call))
        case .ask(let question):
            let number = nextQuestionID()
            slot.question = number
            questions[number] = id
            outputs.append(.ask(id, number, lookingAhead(question, of: id, slot)))
        case .file(.write(let bytes)):
            writeToFile(bytes, of: id, slot, into: &outputs)
        case .file(let action):
            outputs.append(.file(id, action))
        case .yield:
            outputs.append(.yield(id))
        case .finished:
            if let question = slot.question { questions[question] = nil }
            tasks[id] = nil
            deadlines.remove(id)
        case .bug(let text):
            outputs.append(.bug("task \(id.value): \(text)"))
        }
    }

    /// Adds what the connection holds already: a user who answers at once need not wait for the machine to say it.
    private func lookingAhead(_ question: UserQuestion, of id: TaskID, _ slot: Slot) -> UserQuestion {
        guard case .response(let response, nil) = question, slot.machine.isForeseeable,
            let rest = slot.connection?.codec.wholeRest(for: id)
        else { return question }
        return .response(response, rest: rest)
    }

    /// A task wants no connection any more. A dial that nobody waits for then ends: no timer would watch over it, and a
    /// host that never answers would keep one of its places (BEHAVIOUR 2.F11-end).
    private func withdraw(_ id: TaskID, _ slot: Slot, into outputs: inout [ClientOutput]) {
        if let place = slot.place, let dial = pool.withdraw(id, place.route) { end(dial, into: &outputs) }
        slot.place = nil
        if let connection = slot.detach(id) { close(connection.id, into: &outputs) }
    }

    /// What the task's connection speaks, unless it is gone: what is said then is lost with it.
    private func openCodec(_ slot: Slot, into outputs: inout [ClientOutput]) -> (any Codec)? {
        guard let connection = slot.connection else {
            outputs.append(.bug("a request without a connection"))
            return nil
        }
        return connection.phase == .open ? connection.codec : nil
    }
}
