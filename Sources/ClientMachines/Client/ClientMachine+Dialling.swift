import HTTPBasics
import MachineContract

/// From a route that needs a connection to the connection, or to the failure of all addresses.
extension ClientMachine {
    func dial(_ id: DialID, _ route: ConnectionRoute, at moment: Moment, into outputs: inout [ClientOutput]) {
        dials[id] = Dial(id, route, settings.dialling, at: moment.instant)
        dialDeadlines.update(id, moment.instant + settings.dialling.attemptLimit)
        outputs.append(.resolve(id, host: route.origin.host, port: route.origin.port))
    }

    /// A dial that no task waits for finishes what it has begun, if that is soon (BEHAVIOUR 2.F1-spare).
    func dialTimePassed(_ id: DialID, at moment: Moment, into outputs: inout [ClientOutput]) {
        guard let dial = dials[id] else { return }
        guard pool.isSpare(id, dial.route) else { return advance(id, .timePassed, at: moment, into: &outputs) }
        pool.ended(id, dial.route)
        end(id, into: &outputs)
    }

    /// What happens to an attempt. One that is over is an expected race.
    func handleAttempt(
        _ id: ConnectionID, _ event: Dial.Event, local: NetworkAddress? = nil, at moment: Moment,
        into outputs: inout [ClientOutput]
    ) {
        guard let dial = attempts[id] else { return }
        advance(dial, event, local: local, at: moment, into: &outputs)
    }

    func advance(
        _ id: DialID, _ event: Dial.Event, local: NetworkAddress? = nil, at moment: Moment,
        into outputs: inout [ClientOutput]
    ) {
        let outcome = dials[id]?.handle(event, at: moment.instant, &attempts, into: &outputs)
        // Given up meanwhile: an expected race.
        guard let dial = dials[id] else { return }
        switch outcome {
        case nil:
            dialDeadlines.update(id, Instant.earlier(dial.deadline, moment.instant + settings.dialling.attemptLimit))
        case .connected(let attempt):
            forget(id)
            opened(dial, attempt, local: local, at: moment, into: &outputs)
        case .failed(let kind, let detail):
            forget(id)
            guard let task = pool.failed(id, dial.route), let slot = tasks[task] else { return }
            slot.leaveLine(after: dial.progress)
            step(task, .connectFailed(kind, detail: detail), at: moment, into: &outputs)
        }
    }

    private func opened(
        _ dial: Dial, _ attempt: ConnectionAttempt, local: NetworkAddress?, at moment: Moment,
        into outputs: inout [ClientOutput]
    ) {
        let connection = Connection(id: attempt.id, route: dial.route, codec: codec.init(for: attempt.id, settings))
        connection.local = local
        connection.remote = attempt.address
        connection.heardAt = moment.instant
        connections[attempt.id] = connection
        guard let task = pool.opened(dial.id, dial.route) else {
            connection.isUsed = true
            return offer(connection, at: moment, into: &outputs)
        }
        tasks[task]?.leaveLine(after: dial.progress(to: attempt, at: moment.instant))
        attach(connection, to: task, at: moment, into: &outputs)
    }

    /// Gives a dial up.
    func end(_ id: DialID, into outputs: inout [ClientOutput]) {
        dials[id]?.end(&attempts, into: &outputs)
        forget(id)
    }

    private func forget(_ id: DialID) {
        dials[id] = nil
        dialDeadlines.remove(id)
    }
}
