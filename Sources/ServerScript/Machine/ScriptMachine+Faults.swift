import HTTPBasics
import NIOCore

/// What a fault does to a connection.
extension ScriptMachine {
    /// Bytes that no reader takes for HTTP; always the same, so that runs can be compared.
    static let garbage = Content.random(seed: 0x6761_7262_6167_6500, size: 64)

    /// Fires the exchange's fault at a landmark, if there is one.
    func fire(_ exchange: ActiveExchange, _ connection: ServerConnection, at landmark: Fault.Landmark) -> Bool {
        guard let fault = exchange.faults.take(where: { $0 == landmark }) else { return false }
        fire(fault, on: connection)
        return true
    }

    func fire(_ fault: Fault, on connection: ServerConnection) {
        journal(.faulted(fault), connection)
        if case .record = fault.effect { connection.recordFaultMark = fault.mark }
        // While a request is sent on there is one layer of TLS, the proxy's.
        let isOuter = fault.isOfProxy && connection.state.script.proxies[connection.host] == nil
        apply(fault.effect, to: connection, ofProxy: isOuter)
    }

    /// - Parameter ofProxy: To the TLS around that of the host.
    func apply(_ effect: Fault.Effect, to connection: ServerConnection, ofProxy: Bool = false) {
        switch effect {
        case .fin: close(connection)
        case .truncate: close(connection, isAnnounced: false)
        case .reset: if connection.outstanding == 0 { reset(connection) } else { connection.pause = .drained }
        case .stall: fallSilent(connection)
        case .halfClose:
            connection.ended(by: .server)
            fallSilent(connection)
            connection.holdsReading = false
            emit(.closeOutput(connection.id))
        case .garbage:
            write(ScriptMachine.garbage.bytes(at: 0, count: ScriptMachine.garbage.count), on: connection)
            close(connection)
        case .delay(let span): wait(span, connection)
        case .record(let fault):
            emit(.strike(connection.id, fault, ofProxy: ofProxy))
            switch fault.sequel {
            case .end: close(connection, isAnnounced: false)
            case .silence:
                fallSilent(connection)
                connection.holdsReading = true
            case .exchange: break
            }
        }
    }

    /// The part of a script whose faults are drawn apart from others.
    enum DrawPlace {
        case step(Int)
        case route(Int)
        case otherwise
        /// By a checksum of the request's target.
        case improvised(Int)

        var isImprovised: Bool {
            if case .improvised = self { return true }
            return false
        }

        func number(in script: Script) -> Int {
            switch self {
            case .otherwise: -1
            // Steps and routes are counted from 0.
            case .improvised(let sum): sum | .min
            case .step(let step): step
            case .route(let route): script.steps.count + route
            }
        }
    }

    /// The fault, if it happens this time.
    func draw(_ fault: Fault, place: DrawPlace, _ connection: ServerConnection) -> Fault? {
        guard fault.percent < 100 else { return fault }
        let state = connection.state
        let happens = state.dice.happens(percent: fault.percent, place: place.number(in: state.script))
        journal(.drew(fault, happens: happens, seed: state.dice.seed), connection)
        return happens ? fault : nil
    }

    func wait(_ span: Duration, _ connection: ServerConnection) {
        if span > .zero { connection.pause = .until(moment.instant + span) }
    }

    /// A server that stalls in the middle of a request stops reading too, else the client could go on.
    func fallSilent(_ connection: ServerConnection) {
        if let exchange = connection.exchange {
            switch exchange.stage {
            case .requestHead, .requestBody: connection.holdsReading = true
            case .requestRead, .delayed, .answering: break
            }
        }
        leaveExchange(connection)
        connection.waitingSince = moment.instant
        connection.phase = .silent
    }

    // MARK: Idle connections

    func armIdleFault(_ connection: ServerConnection) {
        guard let idle = connection.idleFault, case .idle(let span) = idle.fault.landmark,
            connection.idleDeadline == nil, connection.reader.bufferedBytes == 0
        else { return }
        connection.idleDeadline = moment.instant + span
    }

    /// A connection that is used again is not idle: its fault will never fire, and its step stays unconsumed.
    func forgetIdleFault(_ connection: ServerConnection) {
        connection.idleFault = nil
        connection.idleDeadline = nil
    }

    func fireIdleFault(_ connection: ServerConnection) {
        guard let idle = connection.idleFault else { return }
        forgetIdleFault(connection)
        if let step = idle.step { idle.state.board.faultFired(of: step) }
        fire(idle.fault, on: connection)
    }
}
