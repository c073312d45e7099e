import HTTPBasics
import MachineContract

/// From a task that needs a connection to the connection, or to the failure of all addresses.
extension ClientMachine {
    func dial(for task: TaskID, _ origin: Origin, at moment: Moment, into outputs: inout [ClientOutput]) {
        let id = nextDialID()
        dials[id] = Dial(id, origin, for: task, settings.dialling)
        tasks[task]?.dial = id
        tasks[task]?.machine.log?.lookupBegan(at: moment.instant)
        outputs.append(.resolve(id, host: origin.host, port: origin.port))
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
        let slot = tasks[dial.task]
        if dial.hasTried { slot?.machine.log?.lookupEnded(at: moment.instant) }
        guard let outcome else { return dialDeadlines.update(id, dial.deadline) }
        forget(id)
        slot?.dial = nil
        switch outcome {
        case .connected(let attempt):
            let connection = Connection(
                id: attempt.id, origin: dial.origin, codec: codec.init(for: attempt.id, settings))
            connection.isRetired = dial.isRetired
            connection.local = local
            connection.remote = attempt.address
            connections[attempt.id] = connection
            slot?.machine.log?.connecting(found: attempt.found, began: attempt.began)
            attach(connection, to: dial.task, at: moment, into: &outputs)
        case .failed(let kind, let detail):
            step(dial.task, .connectFailed(kind, detail: detail), at: moment, into: &outputs)
            pool.dialFailed(origin: dial.origin)
        }
    }

    /// The dial's task wants no connection any more.
    func giveUp(_ id: DialID, into outputs: inout [ClientOutput]) {
        dials[id]?.end(&attempts, into: &outputs)
        if let origin = dials[id]?.origin { pool.dialFailed(origin: origin) }
        forget(id)
    }

    private func forget(_ id: DialID) {
        dials[id] = nil
        dialDeadlines.remove(id)
    }
}
