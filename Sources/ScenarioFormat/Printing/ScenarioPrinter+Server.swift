import HTTPBasics
import ServerScript
import TLSBasics

extension ScenarioPrinter {
    func step(_ step: Step) -> ShownValue {
        var entries: [(String, ShownValue?)] = [
            ("conn", step.lane.map { .text($0) }), ("host", step.host.map { .text($0) }),
            ("times", step.times == 1 ? nil : number(step.times)),
        ]
        switch step.action {
        case .exchange(let exchange): entries += self.exchange(exchange)
        case .accept(let fault): entries += [("accept", .word("yes")), ("fault", fault.map(self.fault))]
        case .read(let count): entries.append(("read", size(count)))
        case .write(let bytes): entries.append(("write", self.bytes(bytes)))
        case .close(let effect): entries.append(("close", self.effect(effect)))
        }
        return .fields(entries)
    }

    func route(_ route: Route) -> ShownValue {
        .fields(
            [
                ("host", route.host.map { .text($0) }), ("times", route.times.map(number)),
                ("cors", route.exchange.isShared.map { .word($0 ? "yes" : "no") }),
            ] + exchange(route.exchange))
    }

    private func exchange(_ exchange: Exchange) -> [(String, ShownValue?)] {
        let request = exchange.request
        let line = request.target.map { "\(request.method ?? "any") \($0)" } ?? "any"
        return [
            ("request", line == "any" ? .word(line) : url(line)), ("where", demands(request)),
            ("count", counters(exchange.changes)), ("set", settings(exchange.changes)),
            ("read-body", readBody(exchange.readBody)), ("read-rate", exchange.readRate.map(rate)),
            ("reply", answer(exchange)),
            faults(exchange.faults), ("resumable", exchange.resumable.map(resumption)),
        ]
    }

    private func faults(_ list: [Fault]) -> (String, ShownValue?) {
        list.count > 1 ? ("faults", .list(list.map(fault))) : ("fault", list.first.map(fault))
    }

    private func answer(_ exchange: Exchange) -> ShownValue? {
        if let reply = exchange.reply { return self.reply(reply) }
        let isCut = exchange.faults.contains { !$0.effect.goesOn }
        return isCut ? nil : .word("none")
    }

    private func resumption(_ resumption: Resumption) -> ShownValue {
        switch resumption {
        case .announced(let path): .text(path)
        case .kept(let rule):
            .fields([
                ("below", .text(rule.below)), ("of", rule.content.map(body)),
                ("max-size", rule.limits.maxSize.map { size($0) }), ("min-size", rule.limits.minSize.map { size($0) }),
                ("max-append-size", rule.limits.maxAppendSize.map { size($0) }),
                ("min-append-size", rule.limits.minAppendSize.map { size($0) }),
            ])
        }
    }

    private func readBody(_ readBody: ReadBody) -> ShownValue? {
        switch readBody {
        case .all: nil
        case .none: .word("none")
        case .part(let bytes): size(bytes)
        }
    }

    private func demands(_ request: RequestMatch) -> ShownValue? {
        let parts = request.multipart?.parts.map { part in
            ShownValue.fields([
                ("name", .text(part.name)), ("filename", part.filename.map { .text($0) }),
                ("type", part.type.map { .text($0) }), ("body", part.content.map(body)),
                ("size", part.size.map { size($0) }), ("sha-256", part.sha256.map { .text($0) }),
            ])
        }
        let value = ShownValue.fields(
            [
                ("headers", rules(request.fields)), ("absent", texts(request.absent)),
                ("query", request.query.map { $0.isEmpty ? .word("any") : items($0) }),
                ("state", stateValues(request.state)), ("count", stateCounts(request.state)),
                ("version", request.minorVersion.map { .word("1.\($0)") }),
                ("connection", request.connection.map(number)), ("exchange", request.exchange.map(number)),
                ("basic", request.basic.map(credentials)), ("digest", request.digest.map(proof)),
                ("ntlm", request.ntlm.map(message)), ("negotiate", request.negotiate.map(token)),
                ("multipart", parts.map { .list($0) }),
                ("slice-of", request.sliceOf.map(body)), ("whole", request.isWhole ? .word("yes") : nil),
            ] + bodyRule(request.body))
        return value.isEmpty ? nil : value
    }

    // MARK: - Replies

    func reply(_ reply: Reply) -> ShownValue {
        let hasBody = reply.body != .empty || reply.isRanged
        return .fields([
            ("status", reply.statusText.map { .quoted($0) } ?? number(reply.status)),
            ("reason", reply.reason.map { .text($0) }),
            ("headers", fields(reply.fields)),
            (reply.isRanged ? "range-of" : "body", hasBody ? body(reply.body) : nil),
            ("chunked", chunkSize(reply.framing)),
            ("close-delimited", reply.framing == .close ? .word("yes") : nil),
            ("trailers", fields(reply.trailers)),
            ("interim", reply.interim.isEmpty ? nil : .list(reply.interim.map(interim))),
            ("challenge", challenges(reply.challenges)),
            ("send", reply.timeline.isEmpty ? nil : .list(reply.timeline.map(sendStep))),
            ("send-rate", reply.sendRate.map(rate)),
            ("delay", delay(reply)), faults(reply.faults),
        ])
    }

    private func chunkSize(_ framing: Reply.Framing) -> ShownValue? {
        if case .chunked(let size) = framing { return self.size(size) }
        return nil
    }

    private func interim(_ interim: Interim) -> ShownValue {
        let times = interim.times == 1 ? nil : number(interim.times)
        let delay = interim.delay == .zero ? nil : duration(interim.delay)
        if let raw = interim.raw, case .map(let entries) = self.raw(raw) {
            return .fields(entries.map { ($0.0, $0.1) } + [("times", times), ("delay", delay)])
        }
        return .fields([
            ("status", number(interim.status)), ("headers", fields(interim.fields)), ("times", times), ("delay", delay),
        ])
    }

    private func challenges(_ challenges: [ServerChallenge]) -> ShownValue? {
        challenges.count == 1 ? challenge(challenges[0]) : challenges.isEmpty ? nil : .list(challenges.map(challenge))
    }

    private func challenge(_ challenge: ServerChallenge) -> ShownValue {
        switch challenge {
        case .basic(let realm): .map([("basic", .map([("realm", .text(realm))]))])
        case .digest(let digest): .map([("digest", self.digest(digest))])
        case .ntlm(let ntlm): .map([("ntlm", self.ntlm(ntlm))])
        case .negotiate(let token): .map([("negotiate", .map(token.map { [("token", .text($0))] } ?? []))])
        }
    }

    private func ntlm(_ challenge: ServerNTLM) -> ShownValue {
        switch challenge {
        case .offer: .map([])
        case .token(let token): .map([("token", .text(token))])
        case .message(let nonce, let target, let hasTime):
            .fields([
                ("nonce", .text(ServerNTLM.text(of: nonce))), ("target", target == "OFFICE" ? nil : .text(target)),
                ("time", hasTime ? .word("yes") : nil),
            ])
        }
    }

    private func message(_ rule: NTLMRule) -> ShownValue {
        switch rule {
        case .begins: .map([("message", .word("1"))])
        case .proves(let credentials, let domain):
            .fields(shown(credentials) + [("domain", domain.isEmpty ? nil : .text(domain))])
        }
    }

    private func token(_ rule: NegotiateRule) -> ShownValue {
        .fields([("user", .text(rule.user)), ("round", rule.round == 1 ? nil : number(rule.round))])
    }

    private func digest(_ digest: ServerDigest) -> ShownValue {
        .fields([
            ("realm", .text(digest.realm)), ("nonce", .text(digest.nonce)),
            ("qop", digest.protections == ["auth"] ? nil : .list(digest.protections.map { .text($0) })),
            ("algorithm", digest.algorithm.map { .text($0) }), ("opaque", digest.opaque.map { .text($0) }),
            ("stale", digest.isStale ? .word("yes") : nil), ("userhash", digest.hidesUser ? .word("yes") : nil),
            ("charset", digest.charset.map { .text($0) }), ("domain", digest.domain.map { .text($0) }),
        ])
    }

    private func proof(_ rule: DigestRule) -> ShownValue {
        .fields(
            shown(rule.credentials) + [
                ("realm", .text(rule.realm)), ("nonce", rule.nonce.map { .text($0) }), ("nc", rule.count.map(number)),
                ("algorithm", rule.algorithm.map { .word($0.rawValue) }),
                ("qop", rule.protection == .request ? nil : .word(rule.protection.rawValue)),
                ("opaque", rule.opaque.map { .text($0) }), ("userhash", rule.hidesUser ? .word("yes") : nil),
            ])
    }

    private func sendStep(_ step: SendStep) -> ShownValue {
        switch step {
        case .bytes(let count): .map([("bytes", size(count))])
        case .rest: .word("rest")
        case .wait(let span): .map([("wait", duration(span))])
        case .chunk(let count, let sizeLine):
            .fields([("chunk", size(count)), ("size-line", sizeLine.map { .quoted($0) })])
        case .raw(let content): raw(content)
        case .split(let count): .map([("split", size(count))])
        case .trailers: .word("trailers")
        case .stall: .word("stall")
        case .signal(let name): .map([("signal", .text(name))])
        case .await(let name): .map([("await", .text(name))])
        case .repeat(let count, let steps): .map([("repeat", number(count)), ("do", .list(steps.map(sendStep)))])
        }
    }

    private func raw(_ content: Content) -> ShownValue {
        switch body(content) {
        case .map(let entries): .map(entries)
        case let text: .map([("raw", text)])
        }
    }

    // MARK: - Faults

    func fault(_ fault: Fault) -> ShownValue {
        .fields([
            ("at", .word(text(fault.landmark))), ("do", effect(fault.effect)),
            ("probability", fault.percent == 100 ? nil : .word("\(fault.percent)%")),
            ("layer", fault.isOfProxy ? .word("proxy") : nil),
        ])
    }

    func effect(_ effect: Fault.Effect) -> ShownValue {
        switch effect {
        case .delay(let span): .map([("delay", duration(span))])
        case .record(.alert(let alert)): .map([("alert", .word(alert.description))])
        case .fin, .truncate, .reset, .stall, .halfClose, .garbage, .record: .word(effect.word ?? "")
        }
    }

    private func text(_ landmark: Fault.Landmark) -> String {
        switch landmark {
        // In flow style a bare bracket would end the word.
        case .interim, .chunk: "\"\(landmark)\""
        case .idle(let span): "idle+\(duration(span).flow)"
        default: landmark.description
        }
    }
}
