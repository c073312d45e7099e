import ClientMachines
import HTTPBasics
import NIOCore
import ServerScript

extension SimulatedNetwork {
    /// - Parameter isReported: Whether the writer hears of it when these bytes are taken.
    func write(_ link: Link, from side: Side, _ bytes: ByteBuffer, isReported: Bool = true) {
        guard !link.isBroken, !link[side].isGone, !link[side].hasFinished, bytes.readableBytes > 0 else { return }
        if side == .client, let tls = link.clientTLS {
            return write(bytes, link, with: tls, isReported: isReported)
        }
        if side == .server, link.bender != nil, !link.isInPreface { return writeBent(link, bytes) }
        if side == .server {
            return put(bytes, into: link, link.serverTLS == nil ? .taken : .bent(bytes.readableBytes))
        }
        link[from: side].write(bytes, isReported ? .taken : .nothing)
        flow(link, from: side)
    }

    /// The server is told that its bytes were taken when those are that are sent in their place.
    private func writeBent(_ link: Link, _ bytes: ByteBuffer) {
        let pieces = (link.bender?.readFromServer(bytes) ?? []).filter { $0.readableBytes > 0 }
        for piece in pieces.dropLast() { put(piece, into: link, .nothing) }
        if let last = pieces.last {
            put(last, into: link, .bent(bytes.readableBytes))
        } else {
            reportWritten(bytes.readableBytes, link, from: .server)
            flow(link, from: .server)
        }
    }

    /// Bytes of the server's, by way of TLS where it is spoken.
    private func put(_ bytes: ByteBuffer, into link: Link, _ report: Pipe.Report) {
        if let tls = link.serverTLS { return write(bytes, link, with: tls, report) }
        link.toClient.write(bytes, report)
        flow(link, from: .server)
    }

    /// What bends have held back goes out before the end.
    func writeHeldBack(_ link: Link) {
        for piece in link.bender?.finish() ?? [] where piece.readableBytes > 0 { put(piece, into: link, .nothing) }
    }

    /// Whether nothing has arrived at the client's end, told or not.
    func isUntouched(_ link: Link) -> Bool {
        guard !link.isBroken, !link.clientEnd.isGone, !link.clientEnd.hasSeenFinish else { return false }
        if let tls = link.clientTLS { return isUntouched(link, tls) }
        return link.toClient.nextDue.map { $0 > scheduler.now } ?? true
    }

    func setReading(_ link: Link, at side: Side, _ isReading: Bool) {
        link[side].isReading = isReading
        queueRead(link, at: side)
    }

    /// Lets what fits into the pipe, and the FIN behind the last byte.
    func flow(_ link: Link, from side: Side) {
        guard !link.isBroken else { return }
        let before = link[from: side].entered
        var reported = 0
        while let (bytes, count) = nextPiece(link, from: side) {
            enter(bytes, link, from: side)
            reported += count
            if link.isBroken || isCut(link, from: side) { break }
        }
        let count = link[from: side].entered - before
        if reported > 0 { reportWritten(reported, link, from: side) }
        if side == .client, let tls = link.clientTLS, link.toServer.isFlushed {
            tls.allIsSent()
            queueRead(link, at: .client)
        }
        queueRead(link, at: side.other)
        if side == .server, let rule = cuts[link.ordinal], link.toClient.entered == rule.offset,
            count > 0 || !link.toClient.isFlushed
        {
            return cut(link, rule)
        }
        if link[side].hasFinished, link[from: side].isFlushed { finish(link, from: side) }
        queueRead(link, at: side.other)
    }

    private func nextPiece(_ link: Link, from side: Side) -> (ByteBuffer, reported: Int)? {
        let start = link[from: side].entered
        var wanted = min(link[from: side].free, link[from: side].waitingCount)
        if side == .server, let rule = cuts[link.ordinal] { wanted = min(wanted, max(0, rule.offset - start)) }
        guard wanted > 0 else { return nil }
        let length = segmentation.nextLength(
            of: wanted, from: start, connection: link.ordinal, isFromServer: side == .server, at: scheduler.now)
        return link[from: side].takeWaiting(atMost: length)
    }

    private func isCut(_ link: Link, from side: Side) -> Bool {
        guard side == .server, let rule = cuts[link.ordinal] else { return false }
        return link.toClient.entered >= rule.offset
    }

    private func enter(_ bytes: ByteBuffer, _ link: Link, from side: Side) {
        if link.serverTLS == nil {
            observe(bytes, link, from: side)
        } else {
            link.record.carried(bytes, from: side)
            observePlain(bytes, link, from: side)
        }
        let sent = link[from: side].send(for: segmentation.sendingTime(of: bytes.readableBytes), at: scheduler.now)
        link[from: side].enter(bytes, due: sent + segmentation.nextLatency(at: scheduler.now))
    }

    /// The end of what a proxy has said in clear may enter the pipe when what follows is TLS already.
    private func observePlain(_ bytes: ByteBuffer, _ link: Link, from side: Side) {
        guard side == .server, link.plainLeft > 0 else { return }
        let count = min(link.plainLeft, bytes.readableBytes)
        link.plainLeft -= count
        if let plain = bytes.getSlice(at: bytes.readerIndex, length: count) { observe(plain, link, from: side) }
    }

    /// Shows bytes of the machines' to all that look on.
    func observe(_ bytes: ByteBuffer, _ link: Link, from side: Side) {
        link.record.append(bytes, from: side, at: scheduler.now)
        if link.isInPreface { return }
        let ordinal = link.ordinal
        if side == .client {
            link.bender?.readFromClient(bytes)
            link.reader.readFromClient(bytes) { event in
                if case .requestBegan(let exchange, let method, _) = event {
                    link.record.append(method: method)
                    // That of a tunnel is the connection's, and no task's.
                    if exchange == WireSpan.tunnel { return }
                }
                log.note(event, connection: ordinal)
            }
        } else {
            link.reader.readFromServer(bytes, { link.record.append($0) }, { log.note($0, connection: ordinal) })
        }
    }

    private func finish(_ link: Link, from side: Side) {
        guard !link[from: side].isFinished else { return }
        // A FIN without a word of TLS ends nothing (BEHAVIOUR 2.B1-cut).
        if side == .server, link.serverTLS == nil { noteFinished(link) }
        link[from: side].finish(due: scheduler.now + segmentation.nextLatency(at: scheduler.now))
    }

    func noteFinished(_ link: Link) {
        let ordinal = link.ordinal
        link.reader.serverFinished { [log] in log.note($0, connection: ordinal) }
    }

    /// `wrote` is an input of its own, and adds up until the writer's actor gets to run.
    private func reportWritten(_ count: Int, _ link: Link, from side: Side) {
        guard !link[side].isGone else { return }
        link[side].unreportedBytes += count
        guard !link[side].isReportQueued else { return }
        link[side].isReportQueued = true
        scheduler.schedule(on: link.actor(of: side)) { [self] in
            link[side].isReportQueued = false
            guard !link[side].isGone else { return }
            let bytes = link[side].unreportedBytes
            link[side].unreportedBytes = 0
            switch side {
            case .client: deliver(.wrote(link.id, bytes: bytes), to: link.session)
            case .server: deliver(.wrote(link.peer, bytes: bytes))
            }
        }
    }
}

// MARK: - Reading

extension SimulatedNetwork {
    /// Makes sure that the next item is read when it has arrived; one job at a time for each end.
    func queueRead(_ link: Link, at side: Side) {
        let end = link[side]
        guard !link.isBroken, end.isEstablished, !end.isReadQueued, link.mayRead(at: side),
            let due = link[from: side.other].nextDue
        else { return }
        end.isReadQueued = true
        let delay = due > scheduler.now ? due - scheduler.now : .zero
        scheduler.schedule(on: link.actor(of: side), after: delay, end.read)
    }

    /// What `queueRead` runs; the network holds the link for as long as there are jobs.
    func prepareRead(_ link: Link, at side: Side) {
        link[side].read = { [unowned self, unowned link] in
            link[side].isReadQueued = false
            read(link, at: side)
            queueRead(link, at: side)
        }
    }

    private func read(_ link: Link, at side: Side) {
        guard !link.isBroken, link.mayRead(at: side), let item = link[from: side.other].take(now: scheduler.now)
        else { return }
        if link[side].isGone { return discard(item, link, at: side) }
        switch item {
        case .bytes: flow(link, from: side.other)
        case .fin: link[side].hasSeenFinish = true
        }
        tell(item, link, at: side)
        if item == .fin { endIfBothFinished(link, at: side) }
    }

    private func tell(_ item: Pipe.Item, _ link: Link, at side: Side) {
        switch (side, item) {
        case (.client, _) where link.clientTLS != nil: link.clientTLS.map { received(item, link, with: $0) }
        case (.server, _) where link.serverTLS != nil: link.serverTLS.map { received(item, link, with: $0) }
        case (.client, .bytes(let bytes)): deliver(.received(link.id, bytes), to: link.session)
        case (.server, .bytes(let bytes)): deliver(.received(link.peer, bytes))
        case (.client, .fin): deliver(.inputClosed(link.id), to: link.session)
        case (.server, .fin): deliver(.inputClosed(link.peer))
        }
    }

    /// Bytes for an end that has closed. A client's kernel answers them with RST; a scripted close swallows them,
    /// so that the answer before it is not lost (`ScriptOutput.close`).
    private func discard(_ item: Pipe.Item, _ link: Link, at side: Side) {
        guard case .bytes = item else { return }
        if side == .client { return breakOff(link, from: .client) }
        flow(link, from: side.other)
    }
}
