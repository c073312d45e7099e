import ClientMachines
import HTTPBasics
import ServerScript

extension SimulatedNetwork {
    /// Both directions end after what was written; the closer learns at once that its connection is gone, while
    /// the network goes on delivering.
    func close(_ link: Link, from side: Side, isAnnounced: Bool = true) {
        guard !link[side].isGone else { return }
        if side == .server {
            writeHeldBack(link)
            endPause(link)
        }
        if isAnnounced { announceEnd(link, from: side) }
        closePipe(link, from: side)
    }

    /// The same without a word of TLS.
    func closePipe(_ link: Link, from side: Side) {
        guard !link[side].isGone else { return }
        link[side].isGone = true
        link[side].hasFinished = true
        flow(link, from: side)
        queueRead(link, at: side)
        scheduleClosed(link, at: side)
    }

    /// FIN after what was written; reading goes on.
    func closeOutput(_ link: Link, from side: Side) {
        guard !link[side].isGone, !link[side].hasFinished else { return }
        if side == .server {
            writeHeldBack(link)
            endPause(link)
        }
        announceEnd(link, from: side)
        link[side].hasFinished = true
        flow(link, from: side)
        endIfBothFinished(link, at: side)
    }

    /// RST now, asked for by the machine of that side: what was not sent is dropped, what was not read is lost.
    func reset(_ link: Link, from side: Side) {
        guard !link[side].isGone else { return }
        link[side].isGone = true
        log.event(.network) { $0.text("reset by ").text(side.rawValue).text(" #").number(link.ordinal) }
        scheduleClosed(link, at: side)
        breakOff(link, from: side)
    }

    /// An end that has sent and seen FIN is closed, without anyone asking.
    func endIfBothFinished(_ link: Link, at side: Side) {
        let end = link[side]
        guard !end.isGone, end.hasFinished, end.hasSeenFinish else { return }
        link[side].isGone = true
        scheduleClosed(link, at: side)
    }

    /// RST travels to the other side, past everything that is not read when it arrives.
    func breakOff(_ link: Link, from side: Side) {
        link[from: side].discardWaiting()
        link[from: side.other].discardAll()
        let target = side.other
        let delay = segmentation.nextResetLatency(at: scheduler.now, behind: link[from: side].latestDue)
        scheduler.schedule(on: link.actor(of: target), after: delay) { [self] in
            guard !link.isBroken else { return }
            link.isBroken = true
            link.toClient.discardAll()
            link.toServer.discardAll()
            guard !link[target].isGone else { return }
            link[target].isGone = true
            deliverClosed(link, at: target)
        }
    }

    /// Exploration's cut. The script machine is told, because the client may rightly come again
    /// (SCENARIO-FORMAT 'Cuts, splits, cancels').
    func cut(_ link: Link, _ rule: CutRule) {
        cuts[link.ordinal] = nil
        log.event(.network) {
            $0.text("cut #").number(link.ordinal).text(" at ").number(rule.offset).text(" ").text(rule.effect.rawValue)
        }
        let sent = link.written(upTo: rule.offset)
        link.toClient.discardWaiting()
        let wasGone = link.serverEnd.isGone
        link.serverEnd.isGone = true
        switch rule.effect {
        case .fin:
            link.serverEnd.hasFinished = true
            flow(link, from: .server)
        case .reset:
            // The script may have closed already: its FIN must not overtake the reset.
            link.serverEnd.hasFinished = false
            breakOff(link, from: .server)
        }
        queueRead(link, at: .server)
        scheduler.schedule(on: .server) { [self] in
            deliver(.cut(link.peer, sent: sent))
            if !wasGone { deliverClosed(link, at: .server) }
        }
    }

    private func scheduleClosed(_ link: Link, at side: Side) {
        scheduler.schedule(on: link.actor(of: side)) { [self] in deliverClosed(link, at: side) }
    }

    /// The one place that tells of an end: every path to it has set `isGone`, which no end leaves again.
    private func deliverClosed(_ link: Link, at side: Side) {
        switch side {
        case .client:
            forget(link.session, link.id)
            deliver(.closed(link.id), to: link.session)
        case .server: deliver(.closed(link.peer))
        }
    }
}
