import HTTPBasics
import NIOCore

/// From the answer's first byte to the end of the exchange.
extension ScriptMachine {
    func prepareAnswer(_ exchange: ActiveExchange, _ connection: ServerConnection) {
        // Raw bytes take the answer's place: they are steps of their own.
        guard let scripted = exchange.plan?.reply else {
            connection.unanswered = tunnelled(exchange.request, connection)
            return leaveExchange(connection)
        }
        var reply = exchange.ownReply ?? scripted
        if exchange.ownReply == nil, let template = scripted.template {
            reply = scripted.saying(made(template, scripted.scripted, for: exchange, connection))
        }
        let prepared = reply.prepare(
            for: exchange.request, date: moment.date, mustClose: exchange.leavesBodyUnread, store: contents,
            isOfGET: exchange.plan?.match.method == "GET")
        guard let prepared else {
            let missing = reply.scripted.body.missingLibrary
            let text =
                missing.map { "the compressed body of the reply takes \($0), which is not installed" }
                ?? "the compressed body of the reply is over the limit of 64 MiB"
            return reject(Violation(text), of: exchange.request, status: 500, on: connection)
        }
        exchange.player = ReplyPlayer(prepared, interims: exchange.interims, faults: exchange.faults)
        exchange.stage = .answering
    }

    func advanceAnswer(_ exchange: ActiveExchange, _ connection: ServerConnection) -> Bool {
        if let bytes = exchange.held {
            exchange.held = nil
            write(bytes, on: connection)
        }
        let limit = exchange.sendPace?.piece ?? .max
        guard let move = exchange.player?.next(outstanding: connection.outstanding, limit: limit) else {
            connection.wantsRoom = true
            return false
        }
        carryOut(move, exchange, connection)
        return true
    }

    func carryOut(_ move: ReplyMove, _ exchange: ActiveExchange, _ connection: ServerConnection) {
        switch move {
        case .head(let bytes, let isApart): write(bytes, ahead: !isApart, on: connection)
        case .write(let bytes): write(bytes, of: exchange, on: connection)
        case .wait(let span):
            exchange.sendPace?.rest()
            wait(span, connection)
        case .raise(let name):
            emit(.signal(name))
            raise(name, in: exchange.state)
        case .await(let name):
            exchange.sendPace?.rest()
            if !exchange.state.raised.contains(name) { connection.pause = .signal(name) }
        case .fault(let fault):
            exchange.sendPace?.rest()
            fire(fault, on: connection)
        case .answered(let status): journal(.answered(status: status), connection)
        case .stall: fallSilent(connection)
        case .finished: finish(exchange, connection)
        }
        guard connection.inputClosed else { return }
        // A client that has closed its side does not sit through every wait.
        switch connection.pause {
        case .until, .signal: if !sitsThrough(connection) { leave(connection) }
        case .paced, .drained, nil: break
        }
    }

    /// With a rate, what comes after the head leaves when the last of its bytes is due.
    private func write(_ bytes: ByteBuffer, of exchange: ActiveExchange, on connection: ServerConnection) {
        guard let due = exchange.sendPace?.due(bytes.readableBytes, now: moment.instant) else {
            return write(bytes, on: connection)
        }
        exchange.held = bytes
        connection.pause = .paced(due)
    }

    private func finish(_ exchange: ActiveExchange, _ connection: ServerConnection) {
        guard let player = exchange.player else { return }
        reportUnreached(player.faults, of: exchange.plan, connection)
        let idleFault = player.faults.list.first { $0.landmark.kind == .idle }
        let step = exchange.turn?.step
        leaveExchange(connection)
        if (200..<300).contains(player.status), let host = tunnelled(exchange.request, connection) {
            return openTunnel(to: host, connection)
        }
        if player.closesAfter { return close(connection) }
        if let idleFault { connection.idleFault = .init(idleFault, step: step, exchange.state) }
    }

    /// A fault that the whole exchange never came to is a mistake of the script that would pass unnoticed.
    private func reportUnreached(_ faults: PendingFaults, of plan: PlannedExchange?, _ connection: ServerConnection) {
        for fault in faults.list where fault.landmark.kind != .idle {
            let text = "the fault at \(fault.landmark) was never reached: the exchange ended before it"
            // A client that names a fault is not judged by it.
            if plan?.place.isImprovised == true {
                journal(.noted(text), connection)
                continue
            }
            report(Violation(text, nearest: fault.mark), connection)
        }
    }

    /// Nor may one pass unnoticed that the connection's TLS does not allow.
    func reportUnstruck(_ text: String, _ connection: ServerConnection) {
        let mark = connection.recordFaultMark ?? connection.state.script.tls[connection.host]?.fault?.mark
        report(Violation(text, nearest: mark), connection)
    }

    /// What the script does not allow counts for the verdict, in any round; but not when the user has put another
    /// state in the place of its own.
    private func report(_ violation: Violation, _ connection: ServerConnection) {
        if connection.state.isDiscarded { return journal(.noted(violation.text), connection) }
        let state = connection.scope.state
        touch(state)
        if state.violations.count < 100 { state.violations.append(violation.text) }
        journal(.violation(violation), connection)
    }

    /// Journals a violation, answers the request with its text, and closes; nil for what could not be read.
    func reject(_ violation: Violation, of request: ReceivedHead?, status: Int, on connection: ServerConnection) {
        report(violation, connection)
        let refusal = RefusedAnswer(violation, of: request, status: status, isShared: connection.state.script.isShared)
        guard connection.scope.isFrozen else { return answer(refusal, connection) }
        leaveExchange(connection)
        connection.phase = .refused(refusal)
    }

    func answer(_ refusal: RefusedAnswer, _ connection: ServerConnection) {
        write(refusal.bytes(date: moment.date), on: connection)
        journal(.answered(status: refusal.status), connection)
        close(connection)
    }
}

extension Violation {
    /// Everything it says, one finding per line.
    package var text: String {
        var lines = [summary]
        if let nearest { lines.append("closest: \(nearest)") }
        lines += differences.map { "  \($0)" }
        return lines.joined(separator: "\n")
    }
}
