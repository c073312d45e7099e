import HTTPBasics
import MachineContract

/// From a route that needs a connection to the connection, or to the failure of all addresses.
extension ClientMachine {
    func dial(_ id: DialID, _ route: ConnectionRoute, _ turn: inout Turn) {
        dials[id] = Dial(id, route, settings, at: turn.now)
        dialDeadlines.update(id, turn.now + settings.dialling.attemptLimit)
        turn.outputs.append(.resolve(id, host: route.peer.host, port: route.peer.port))
    }

    /// A dial has as long as the task for which it was begun. One that is spare, or another task's by now, has ten
    /// seconds in all: that task may get a better one (BEHAVIOUR 2.F1-spare).
    func dialTimePassed(_ id: DialID, _ turn: inout Turn) {
        guard let dial = dials[id] else { return }
        let place = pool.task(waitingFor: id, dial.route).flatMap { tasks[$0]?.place }
        let isInherited = place.map { $0.since > dial.began } ?? true
        guard isInherited, isSilent(dial, turn) else { return advance(id, .timePassed, &turn) }
        giveUp(dial, &turn)
    }

    /// Who waits for the answer of a user is not silent, as long as that user's task waits, too.
    private func isSilent(_ dial: Dial, _ turn: Turn) -> Bool {
        let asked = dialQuestions[dial.id].flatMap { tasks[$0.task]?.place?.route }
        return asked != dial.route && turn.now - dial.silentSince >= settings.dialling.attemptLimit
    }

    /// One dial of a route is too many: one goes that was silent for long, else the last.
    func giveUpOne(of route: ConnectionRoute, _ turn: inout Turn) {
        let candidates = pool.dials(of: route).compactMap { dials[$0] }
        if let dial = candidates.first(where: { isSilent($0, turn) }) ?? candidates.last { giveUp(dial, &turn) }
    }

    func giveUp(_ dial: Dial, _ turn: inout Turn) {
        pool.ended(dial.id, dial.route)
        end(dial.id, &turn)
    }

    /// What happens to an attempt. One that is over is an expected race.
    func handleAttempt(_ id: ConnectionID, _ event: Dial.Event, _ turn: inout Turn) {
        guard let dial = attempts[id] else { return }
        advance(dial, event, &turn)
    }

    func advance(_ id: DialID, _ event: Dial.Event, _ turn: inout Turn) {
        conclude(id, dials[id]?.handle(event, at: turn.now, &attempts, into: &turn.outputs), &turn)
    }

    func conclude(_ id: DialID, _ outcome: Dial.Outcome?, _ turn: inout Turn) {
        // Given up meanwhile: an expected race.
        guard let dial = dials[id] else { return }
        switch outcome {
        case nil:
            dialDeadlines.update(id, Instant.earlier(dial.deadline, turn.now + settings.dialling.attemptLimit))
        case .tunnelling: tunnel(dial, &turn)
        case .asked(let head): asked(by: head, dial, &turn)
        case .proves(let token): negotiate(.goOn(token), for: .proof, dial, &turn)
        case .connected(let attempt):
            letThrough(dial, &turn)
            forget(id, &turn)
            opened(dial, attempt, &turn)
        case .failed(let kind, let detail, let security):
            forget(id, &turn)
            guard let task = pool.failed(id, dial.route), let slot = tasks[task] else { return }
            slot.leaveLine(after: dial.progress)
            step(task, .connectFailed(kind, detail: detail, security), &turn)
        }
    }

    private func opened(_ dial: Dial, _ attempt: ConnectionAttempt, _ turn: inout Turn) {
        let connection = Connection(attempt, route: dial.route, codec: codec.init(for: attempt.id, settings))
        arrivals += 1
        (connection.heard, connection.heardAt) = (arrivals, turn.now)
        connections[attempt.id] = connection
        guard let task = pool.opened(dial.id, dial.route) else {
            connection.isUsed = true
            offer(connection, &turn)
            if attempt.unread.readableBytes > 0 { close(attempt.id, &turn) }
            return
        }
        tasks[task]?.leaveLine(after: dial.progress(to: attempt))
        attach(connection, to: task, &turn)
        // What came behind the proxy's word, before anything was asked.
        if attempt.unread.readableBytes > 0 { received(attempt.id, attempt.unread, &turn) }
    }

    /// The pool knows no more of it.
    func end(_ id: DialID, _ turn: inout Turn) {
        dials[id]?.end(&attempts, into: &turn.outputs)
        forget(id, &turn)
    }

    /// The task of an open question is asked nothing any more: from here on its time counts again.
    private func forget(_ id: DialID, _ turn: inout Turn) {
        dials[id] = nil
        dialDeadlines.remove(id)
        guard let question = dialQuestions.removeValue(forKey: id) else { return }
        questions[question.id] = nil
        step(question.task, .connectionAsks(false), &turn)
    }
}
