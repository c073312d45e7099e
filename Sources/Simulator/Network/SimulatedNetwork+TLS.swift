import ClientMachines
import ClientTLS
import HTTPBasics
import NIOCore
import ServerScript
import ServerTLS
import TLSBasics

/// TLS between the machines and the pipes: the real one, at both ends. What goes through a pipe, is cut and split, is
/// ciphertext; what observers of the wire see is what it protects, when it is written.
extension SimulatedNetwork {
    // MARK: - The client's end

    func secure(_ link: Link, with layer: ConnectionTLS) {
        link.clientTLS = layer
        passOn(link)
    }

    func decideTrust(_ link: Link, _ decision: TrustDecision) {
        link.clientTLS?.decide(decision, at: scheduler.clock.date)
        passOn(link)
    }

    func present(_ identity: TLSIdentity?, on link: Link) {
        link.clientTLS?.present(identity)
        passOn(link)
    }

    /// Bytes that the client protects.
    func write(_ bytes: ByteBuffer, _ link: Link, with tls: ConnectionTLS, isReported: Bool) {
        observe(bytes, link, from: .client)
        tls.write(bytes)
        send(tls.takeCiphertext(), link, from: .client, isReported ? .bent(bytes.readableBytes) : .nothing)
    }

    func received(_ item: Pipe.Item, _ link: Link, with tls: ConnectionTLS) {
        switch item {
        case .bytes(let bytes): tls.received(bytes)
        case .fin: tls.receivedEnd()
        }
        passOn(link)
        // BEHAVIOUR 2.B1-bound and 2.B1-answers, with room for what one piece more brings.
        if tls.unopenedBytes > 256 << 10 {
            log.report("#\(link.ordinal): the client lets \(tls.unopenedBytes) bytes lie that it has not looked at")
        }
        let unsent = link.toServer.waitingUnreported
        if unsent > 192 << 10 {
            log.report("#\(link.ordinal): the client reads on while \(unsent) bytes of its answers are not sent")
        }
    }

    /// Gives the machine what the layer has for it. What the machine says to one thing comes back here before the next;
    /// it may put another layer in the place of this one.
    private func passOn(_ link: Link) {
        send(link.clientTLS?.takeAnswers(), link, from: .client, .nothing)
        guard !link.isPassingOn else { return }
        link.isPassingOn = true
        while !link.clientEnd.isGone, let input = link.clientTLS?.nextInput() {
            if case .closed = input { close(link, from: .client) } else { deliver(input, to: link.session) }
            send(link.clientTLS?.takeAnswers(), link, from: .client, .nothing)
        }
        link.isPassingOn = false
        send(link.clientTLS?.takeAnswers(), link, from: .client, .nothing)
        queueRead(link, at: .client)
    }

    /// Whether nothing has arrived at the client's end but what is for the layer alone.
    func isUntouched(_ link: Link, _ tls: ConnectionTLS) -> Bool {
        while link.toClient.nextDue.map({ $0 <= scheduler.now }) ?? false {
            guard case .bytes(let bytes) = link.toClient.take(now: scheduler.now) else { return false }
            flow(link, from: .server)
            tls.received(bytes)
        }
        let isUntouched = tls.isUntouched()
        send(tls.takeAnswers(), link, from: .client, .nothing)
        return isUntouched
    }

    // MARK: - The server's end

    /// A proxy has let the connection through.
    func letThrough(_ link: Link) {
        guard link.isInPreface else { return }
        link.isInPreface = false
        link.record.endPreface()
        link.reader = ExchangeReader(behind: link.record.preface)
    }

    /// A proxy has tunnelled the connection to a host that speaks TLS.
    func secure(_ link: Link, as host: String, _ early: ByteBuffer, isSpoilt: Bool) {
        guard !link.serverEnd.isGone, security[host] != nil else { return }
        let layer = makeTLS(of: host, within: link.serverTLS, isSpoilt: isSpoilt)
        guard let tls = layer else { return reset(link, from: .server) }
        // What a proxy says over TLS is observed when it says it.
        if link.serverTLS == nil {
            link.plainLeft = link.toClient.waitingTotal
            link.record.beginSealing()
        }
        link.serverTLS = tls
        tls.begin(with: early)
        carryOut(link, .nothing)
    }

    func write(_ bytes: ByteBuffer, _ link: Link, with tls: PeerTLS, _ report: Pipe.Report) {
        if cuts[link.ordinal] != nil { link.noteSealedWrite() }
        observe(bytes, link, from: .server)
        tls.write(bytes)
        carryOut(link, report)
    }

    func received(_ item: Pipe.Item, _ link: Link, with tls: PeerTLS) {
        switch item {
        case .bytes(let bytes): tls.received(bytes)
        case .fin: tls.receivedEnd()
        }
        carryOut(link, .nothing)
        // With room for what one piece more brings.
        if link.isServerPaused, tls.unheardBytes > 64 << 10 {
            log.report("#\(link.ordinal): \(tls.unheardBytes) bytes gather at the server while it pauses")
        }
    }

    func strike(_ link: Link, _ fault: RecordFault, ofProxy: Bool) {
        guard !link.serverEnd.isGone else { return }
        guard let tls = link.serverTLS else {
            return deliver(.unstruck(link.peer, "the fault '\(fault)' could not be done: there is no TLS here"))
        }
        if fault.sequel == .end { writeHeldBack(link) }
        tls.strike(fault, ofProxy: ofProxy)
        carryOut(link, .nothing)
        // The end of what the server has said, and said by itself.
        if fault == .closeNotify, !ofProxy { noteFinished(link) }
    }

    /// What the script does meanwhile may put another layer in the place of this one.
    private func carryOut(_ link: Link, _ report: Pipe.Report) {
        var report = Self.sum(link.pausedReport, report)
        link.pausedReport = .nothing
        while !link.serverEnd.isGone, !link.isServerPaused, let move = link.serverTLS?.nextMove() {
            switch move {
            case .send(let bytes):
                send(bytes, link, from: .server, report)
                report = .nothing
            case .received(let bytes): deliver(.received(link.peer, bytes))
            case .inputClosed: deliver(.inputClosed(link.peer))
            case .fin: closePipe(link, from: .server)
            case .wait(let span): wait(link, span)
            case .handshake(let news): deliver(.handshake(link.peer, news))
            case .unstruck(let text): deliver(.unstruck(link.peer, text))
            case .fail(let failure):
                deliver(.secureFailed(link.peer, failure))
                closePipe(link, from: .server)
            case .reset: reset(link, from: .server)
            }
        }
        if link.isServerPaused { link.pausedReport = report }
    }

    /// Of what the server has written under TLS.
    private static func sum(_ held: Pipe.Report, _ report: Pipe.Report) -> Pipe.Report {
        guard case .bent(let count) = held else { return report }
        if case .bent(let more) = report { return .bent(count + more) }
        return held
    }

    private func wait(_ link: Link, _ span: Duration) {
        link.serverPauses += 1
        link.isServerPaused = true
        let pause = link.serverPauses
        scheduler.schedule(on: .server, after: span) { [self] in
            guard link.isServerPaused, link.serverPauses == pause else { return }
            link.isServerPaused = false
            carryOut(link, .nothing)
            queueRead(link, at: .server)
        }
    }

    /// The end of a connection waits for nothing.
    func endPause(_ link: Link) {
        guard link.isServerPaused, let tls = link.serverTLS else { return }
        link.isServerPaused = false
        tls.hurry()
        carryOut(link, .nothing)
        queueRead(link, at: .server)
    }

    // MARK: - Both

    /// TLS says that nothing follows, so that nobody else can say it (RFC 8446 6.1).
    func announceEnd(_ link: Link, from side: Side) {
        switch side {
        case .client:
            guard let tls = link.clientTLS else { return }
            tls.close()
            send(tls.takeCiphertext(), link, from: .client, .nothing)
        case .server:
            guard let tls = link.serverTLS else { return }
            tls.closeOutput()
            carryOut(link, .nothing)
            noteFinished(link)
        }
    }

    private func send(_ bytes: ByteBuffer?, _ link: Link, from side: Side, _ report: Pipe.Report) {
        guard let bytes, bytes.readableBytes > 0 else { return }
        link[from: side].write(bytes, report)
        flow(link, from: side)
    }
}
