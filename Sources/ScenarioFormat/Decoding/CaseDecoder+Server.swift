import HTTPBasics
import ServerScript

extension CaseDecoder {
    // MARK: - Steps and routes

    func decodeStep(_ node: SourceNode) -> Step? {
        if node.plain == "accept" { return Step(.accept(nil), mark: node.mark) }
        guard let entries = node.entries else {
            let remedy = "such as \(KeyTable.example(of: .exchange))"
            return session.wrong(node, expected: "a server step (a map, or the word accept)", remedy: remedy)
        }
        let isConnectionStep = entries.contains { ["accept", "read", "write", "close"].contains($0.key) }
        guard let map = session.map(node, isConnectionStep ? .connectionStep : .exchange) else { return nil }
        let lane = map.label("conn"), host = host(map), times = map.count("times", in: 0...100_000)
        let action = isConnectionStep ? connectionStep(map) : Step.Action.exchange(exchange(map))
        return action.map { Step($0, lane: lane, host: host, times: times ?? 1, mark: node.mark) }
    }

    private func connectionStep(_ map: MappingReader) -> Step.Action? {
        let key = map.only(of: ["accept", "read", "write", "close"])
        let accept = map.value("accept"), read = map.bytes("read")
        let write = map.value("write"), close = map.word("close")
        let fault = map.value("fault").flatMap { self.fault($0, in: .accept) }
        if key != "accept", map.has("fault") {
            log.error("'fault' goes with 'accept' in a connection step", at: map.keyNode("fault"))
        }
        switch key {
        case "accept":
            if let accept, session.yesNo(accept) == false { log.error("leave the step out instead", at: accept) }
            return .accept(fault)
        case "read": return .read(bytes: read ?? 0)
        case "write": return .write(write.map(rawBytes) ?? [])
        default: return .close(close.flatMap { Fault.Effect(word: $0) } ?? .fin)
        }
    }

    func decodeRoute(_ node: SourceNode) -> Route? {
        guard let map = session.map(node, .route) else { return nil }
        let times = map.count("times", in: 0...100_000)
        var exchange = exchange(map)
        exchange.isShared = map.yesNo("cors")
        return Route(exchange, host: host(map), times: times, mark: node.mark)
    }

    func decodeOtherwise(_ node: SourceNode) -> Reply? {
        guard let reply = decodeReply(node) else { return nil }
        if reply.faults.contains(where: { $0.landmark.kind.isBeforeReply }) {
            log.error("a fault of 'otherwise' strikes while it is answered", at: node)
        }
        return reply
    }

    // MARK: - Exchanges

    private func exchange(_ map: MappingReader) -> Exchange {
        let match = requestMatch(map)
        let readBody = map.value("read-body").flatMap(decodeReadBody) ?? .all
        let readRate = map.rate("read-rate")
        let own = faults(map)
        let isByHand = map.context == .exchange && map.value("reply")?.plain == "none"
        var reply = isByHand ? nil : map.value("reply").flatMap(decodeReply)
        // A fault may be written in either place; each phase has one home in the values.
        let all = own + (reply?.faults ?? [])
        let before = all.filter(\.landmark.kind.isBeforeReply), within = all.filter { !$0.landmark.kind.isBeforeReply }
        if !within.isEmpty { reply = reply ?? Reply() }
        reply?.faults = within
        let isAnswered = before.allSatisfy { $0.effect.goesOn || $0.percent < 100 }
        let saysMore = map.value("reply")?.entries?.contains { !["fault", "faults"].contains($0.key) } ?? false
        if !isAnswered, saysMore {
            let message = "this reply is never sent: the fault strikes before it"
            log.error(message, at: map.keyNode("reply"), remedy: "leave 'reply' out, or let the fault strike later")
        }
        if isByHand, reply != nil {
            let key = map.has("faults") ? "faults" : "fault"
            log.error("a fault of an answer needs a 'reply' to strike", at: map.keyNode(key))
        }
        let isReplied = isAnswered && !isByHand
        var exchange = Exchange(
            match, reply: isReplied ? reply ?? Reply() : nil, faults: before, readBody: readBody, readRate: readRate,
            resumable: map.value("resumable").flatMap { resumption($0, match) })
        exchange.changes = stateChanges(map)
        return exchange
    }

    private func decodeReadBody(_ node: SourceNode) -> ReadBody? {
        switch node.plain {
        case "all": return .all
        case "none": return ReadBody.none
        default: return session.bytes(node).map { .part(bytes: $0) }
        }
    }

    private func requestMatch(_ map: MappingReader) -> RequestMatch {
        var match = RequestMatch()
        if let node = map.value("request") { (match.method, match.target) = requestPattern(node) }
        guard let demands = map.map("where", .requestWhere) else { return match }
        match.fields = demands.value("headers").map(fieldRules) ?? []
        match.absent = demands.value("absent").map(fieldNames) ?? []
        place(of: &match, demands)
        match.state = stateRules(demands)
        match.basic = demands.map("basic", .credentials).flatMap(credentials)
        match.digest = demands.map("digest", .digestProof).flatMap(digestRule)
        match.ntlm = demands.map("ntlm", .ntlmProof).flatMap(ntlmRule)
        match.negotiate = demands.map("negotiate", .negotiateProof).flatMap(negotiateRule)
        if match.negotiate != nil, match.basic != nil || match.digest != nil || match.ntlm != nil {
            log.error("'negotiate' excludes 'basic', 'digest' and 'ntlm'", at: demands.keyNode("negotiate"))
        }
        if match.basic != nil, match.digest != nil {
            log.error("'basic' and 'digest' exclude each other", at: demands.keyNode("digest"))
        }
        if match.ntlm != nil, match.basic != nil || match.digest != nil {
            log.error("'ntlm' excludes 'basic' and 'digest'", at: demands.keyNode("ntlm"))
        }
        match.body = bodyRule(demands)
        if let node = demands.value("multipart") {
            match.multipart = MultipartRule(parts: session.list(node, of: "parts").compactMap(multipartPart))
            if match.body != nil { log.error("'body' and 'multipart' exclude each other", at: node) }
        }
        if let node = demands.value("slice-of") {
            match.sliceOf = body(node) ?? .empty
            if match.body != nil || match.multipart != nil {
                log.error("'slice-of' excludes 'body' and 'multipart'", at: node)
            }
        }
        match.isWhole = demands.yesNo("whole") ?? false
        return match
    }

    /// Conditions on the line and on where in the round the request comes.
    private func place(of match: inout RequestMatch, _ demands: MappingReader) {
        if let node = demands.value("query") {
            match.query = node.plain == "any" ? [] : itemRules(node)
            if match.target?.contains("?") == true {
                let remedy = "write the path alone in 'request', and all that its query must have under 'query'"
                log.error("the request has a query already", at: node, remedy: remedy)
            }
        }
        if let version = demands.word("version") { match.minorVersion = version == "1.0" ? 0 : 1 }
        match.connection = demands.count("connection", in: 1...1_000_000)
        match.exchange = demands.count("exchange", in: 1...1_000_000)
    }

    private func ntlmRule(_ map: MappingReader) -> NTLMRule? {
        let proof = map.text("user").map {
            NTLMRule.proves(
                BasicCredentials(user: $0, password: map.text("password") ?? ""), domain: map.text("domain") ?? "")
        }
        guard map.word("message") == "1" else {
            if proof == nil { map.missing("message 3 of NTLM has a 'user'") }
            return proof
        }
        if proof != nil { log.error("message 1 of NTLM names nobody", at: map.keyNode("user")) }
        return .begins
    }

    private func negotiateRule(_ map: MappingReader) -> NegotiateRule? {
        map.text("user").map { NegotiateRule(user: $0, round: map.count("round", in: 1...8) ?? 1) }
    }

    private func digestRule(_ map: MappingReader) -> DigestRule? {
        guard let credentials = credentials(map) else { return nil }
        return DigestRule(
            credentials, realm: map.text("realm") ?? "", nonce: map.text("nonce"), count: map.count("nc"),
            algorithm: map.word("algorithm", as: DigestRule.ProofAlgorithm.self),
            protection: map.word("qop", as: DigestRule.Protection.self) ?? .request, opaque: map.text("opaque"),
            hidesUser: map.yesNo("userhash") ?? false)
    }

    /// `GET /path`, `/path`, `any /path` or `any`; a final `*` stands for any rest, `{id}` for a segment.
    private func requestPattern(_ node: SourceNode) -> (String?, String?) {
        if node.scalar == "any" { return (nil, nil) }
        guard let line = requestLine(node) else { return (nil, nil) }
        if let objection = PathPattern.objection(to: line.target) {
            log.error(objection.text, at: node, remedy: objection.remedy)
        }
        if line.method != "any", line.method != line.method.uppercased() {
            let message = "methods are compared with case: only '\(line.method)' matches"
            log.warning(message, at: node, remedy: "did you mean \(line.method.uppercased())?")
        }
        return (line.method == "any" ? nil : line.method, line.target)
    }

    private func multipartPart(_ node: SourceNode) -> MultipartRule.Part? {
        guard let map = session.map(node, .multipartPart) else { return nil }
        return MultipartRule.Part(
            name: map.text("name") ?? "", filename: map.text("filename"), type: map.text("type"),
            content: map.value("body").map { body($0) ?? .empty }, size: map.bytes("size"),
            sha256: map.value("sha-256").flatMap(digest))
    }

    func digest(_ node: SourceNode) -> String? {
        let bytes = hexBytes(node)
        if bytes.count != 32 { log.error("a SHA-256 has 64 hexadecimal digits", at: node) }
        return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
