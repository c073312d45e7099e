import HTTPBasics
import ServerScript

extension JournalLine {
    func input(_ input: ScriptInput) {
        text("< ")
        switch input {
        case .accepted(let peer, let host, _): word("accepted", peer).text(" ").text(host)
        case .received(let peer, let bytes):
            word("received", peer).text(" ").excerpt(bytes, ofClientOn: peer.value)
        case .inputClosed(let peer): word("inputClosed", peer)
        case .secureFailed(let peer, let failure): word("secureFailed", peer).text(" ").quoted(failure.detail)
        case .unstruck(let peer, let text): word("unstruck", peer).text(" ").quoted(text)
        case .handshake(let peer, let news): word("handshake", peer).text(" \(news)")
        case .closed(let peer): word("closed", peer)
        case .wrote(let peer, let bytes): word("wrote", peer).text(" ").number(bytes)
        case .cut(let peer, let sent): word("cut", peer).text(" sent ").number(sent)
        case .signal(let name): text("signal ").quoted(name)
        case .endRound: text("endRound")
        case .order(let order, let scope): text("order \(order) ").quoted(scope ?? "all")
        case .timePassed: text("timePassed")
        }
    }

    func output(_ output: ScriptOutput) {
        text("> ")
        switch output {
        case .write(let peer, let bytes), .writeAhead(let peer, let bytes): word("write", peer).text(" ").excerpt(bytes)
        case .closeOutput(let peer): word("closeOutput", peer)
        case .strike(let peer, let fault, let ofProxy):
            word("strike", peer).text(" \(fault)").text(ofProxy ? " of the proxy" : "")
        case .close(let peer, _): word("close", peer)
        case .spoilHandshake(let peer): word("spoilHandshake", peer)
        case .secure(let peer, let host, let early, let isSpoilt):
            word("secure", peer).text(" ").text(host).text(" ").number(early.readableBytes)
            if isSpoilt { text(" spoilt") }
        case .reset(let peer): word("reset", peer)
        case .setReading(let peer, let isReading): word(isReading ? "startReading" : "stopReading", peer)
        case .signal(let name): text("signal ").quoted(name)
        case .scope(let name, let news): text("scope ").quoted(name).text(" ").text("\(news)")
        case .journal(let event): self.event(event)
        }
    }

    private func event(_ event: ServerEvent) {
        text("event #").number(event.peer.value).text(".").number(event.exchange).text(" ")
        switch event.kind {
        case .accepted: text("accepted")
        case .request(let request): text("request ").text(request.method).text(" ").quoted(request.target)
        case .noted(let note): text("noted ").quoted(note)
        case .requestBody(let body): text("requestBody ").number(body.count)
        case .uploaded(let path, let body): text("uploaded ").quoted(path).text(" ").number(body.count)
        case .answered(let status): text("answered ").number(status)
        case .faulted: text("faulted")
        case .drew(_, let happens, let seed):
            text(happens ? "drew a fault, seed " : "was spared, seed ").text(String(seed))
        case .brokenOff(let part, let count):
            text("broken off in the ").text(part.rawValue).text(" after ").number(count)
        case .tunnelled(let host): text("tunnelled to ").text(host)
        case .secureFailed(let failure): text("TLS failed ").quoted(failure.detail)
        case .closed(let byClient): text(byClient ? "closed by client" : "closed by server")
        case .violation(let violation): text("violation ").quoted(violation.summary)
        case .exhausted: text("exhausted")
        case .abandoned: text("abandoned")
        case .startedOver: text("started over")
        }
    }

    @discardableResult
    private func word(_ word: StaticString, _ peer: PeerID) -> JournalLine {
        text(word).text(" #").number(peer.value)
    }
}
