import HTTPBasics
import ServerScript

extension CaseDecoder {
    private static let defaultChunk = 16 << 10
    private static let largestRepeat = 1_000_000

    func decodeReply(_ node: SourceNode) -> Reply? {
        guard let map = session.map(node, .reply) else { return nil }
        var reply = Reply()
        reply.challenges = map.value("challenge").map(session.oneOrMore)?.compactMap(challenge) ?? []
        if let node = map.value("status"), let text = node.scalar, TextTemplate(text) != nil {
            reply.statusText = text
        }
        let number = reply.statusText == nil ? map.status("status") : 200
        reply.status = number ?? (reply.challenges.isEmpty ? 200 : 401)
        if reply.status < 200, let node = map.value("status") {
            log.error("\(reply.status) is not a final status", at: node, remedy: "write it under 'interim'")
        }
        reply.reason = map.text("reason")
        reply.fields = map.value("headers").map(headers) ?? Fields()
        reply.trailers = map.value("trailers").map(headers) ?? Fields()
        content(of: &reply, map)
        reply.framing = framing(map)
        reply.interim = (map.list("interim") ?? []).compactMap(interim)
        reply.timeline = timeline(map)
        reply.sendRate = map.rate("send-rate")
        events(of: &reply, map)
        if let node = map.value("delay") { delay(of: &reply, node) }
        reply.faults = faults(map)
        checkFraming(of: reply, map)
        return reply
    }

    private func content(of reply: inout Reply, _ map: MappingReader) {
        let body = map.value("body"), range = map.value("range-of")
        switch map.only(of: ["body", "range-of"]) {
        case "body": reply.body = body.flatMap(self.body) ?? .empty
        case "range-of":
            reply.body = range.flatMap(self.body) ?? .empty
            reply.isRanged = true
        default: break
        }
    }

    private func framing(_ map: MappingReader) -> Reply.Framing {
        let chunked = map.value("chunked"), isDelimited = map.yesNo("close-delimited") ?? false
        var framing = Reply.Framing.length
        if let chunked {
            switch chunked.plain {
            case "yes": framing = .chunked(size: CaseDecoder.defaultChunk)
            case "no": break
            default:
                let size = session.bytes(chunked)
                if size == 0 { log.error("a chunk of no bytes would end the body", at: chunked) }
                framing = .chunked(size: max(1, size ?? 1))
            }
        }
        guard isDelimited else { return framing }
        if framing != .length {
            log.error("'chunked' and 'close-delimited' exclude each other", at: map.keyNode("close-delimited"))
        }
        return .close
    }

    private func checkFraming(of reply: Reply, _ map: MappingReader) {
        if case .chunked = reply.framing { return }
        if !reply.trailers.isEmpty { log.error("trailers need 'chunked'", at: map.keyNode("trailers")) }
        if reply.timeline.contains(where: \.needsChunks) {
            log.error("'chunk' and 'trailers' in 'send' need 'chunked'", at: map.keyNode("send"))
        }
    }

    private func interim(_ node: SourceNode) -> Interim? {
        guard let map = session.map(node, .interim) else { return nil }
        var interim = Interim(status: 100)
        let raw = map.text("raw"), hex = map.value("hex").map(hexBytes)
        let status = map.count("status", in: 100...199), fields = map.value("headers").map(headers)
        if status == 101 { log.error("101 ends HTTP on this connection: it is not an interim answer", at: node) }
        switch map.only(of: ["status", "raw", "hex"]) {
        case "status": interim.status = status ?? 100
        case "raw":
            map.refuseEmpty("raw")
            interim.raw = .text(raw ?? "")
        case "hex": interim.raw = .bytes(hex ?? [])
        default: map.missing("an interim answer needs 'status', or 'raw' or 'hex' for bytes in place of one")
        }
        if interim.raw != nil, map.has("headers") {
            log.error("'headers' goes with 'status'", at: map.keyNode("headers"))
        }
        interim.fields = fields ?? Fields()
        interim.delay = map.duration("delay") ?? .zero
        interim.times = map.count("times", in: 1...1000) ?? 1
        return interim
    }

    private func challenge(_ node: SourceNode) -> ServerChallenge? {
        guard let map = session.map(node, .challengeOffer) else { return nil }
        switch map.only(of: ["basic", "digest", "ntlm", "negotiate"]) {
        case "basic": return map.map("basic", .basicOffer).map { .basic(realm: $0.text("realm") ?? "") }
        case "digest": return map.map("digest", .digestOffer).map { .digest(digest($0)) }
        case "ntlm": return map.map("ntlm", .ntlmOffer).map { .ntlm(ntlm($0)) }
        case "negotiate": return map.map("negotiate", .negotiateOffer).map { .negotiate($0.text("token")) }
        default:
            map.missing("a challenge needs 'basic', 'digest', 'ntlm' or 'negotiate'")
            return nil
        }
    }

    private func ntlm(_ map: MappingReader) -> ServerNTLM {
        if let token = map.text("token") { return .token(token) }
        guard let digits = map.text("nonce") else { return .offer }
        guard let nonce = UInt64(digits, radix: 16), digits.utf8.count == 16 else {
            log.error("a nonce of NTLM has 16 hexadecimal digits", at: map.value("nonce") ?? map.keyNode("nonce"))
            return .offer
        }
        return .message(nonce: nonce, target: map.text("target") ?? "OFFICE", hasTime: map.yesNo("time") ?? false)
    }

    private func digest(_ map: MappingReader) -> ServerDigest {
        ServerDigest(
            realm: map.text("realm") ?? "", nonce: map.text("nonce") ?? "", opaque: map.text("opaque"),
            algorithm: map.text("algorithm"), protections: map.has("qop") ? map.texts("qop") : ["auth"],
            isStale: map.yesNo("stale") ?? false, hidesUser: map.yesNo("userhash") ?? false,
            charset: map.text("charset"), domain: map.text("domain"))
    }

    // MARK: - Timeline

    private func timeline(_ map: MappingReader) -> [SendStep] {
        var steps = (map.list("send") ?? []).compactMap(sendStep)
        guard let split = map.value("split"), split.plain != "all", let size = session.bytes(split) else {
            return steps
        }
        if size == 0 { log.error("a segment has at least one byte", at: split) }
        if steps.isEmpty { steps = [.rest] }
        return [.split(max(1, size))] + steps
    }

    private func sendStep(_ node: SourceNode) -> SendStep? {
        switch node.plain {
        case "rest": return .rest
        case "trailers": return .trailers
        case "stall": return .stall
        default: break
        }
        guard node.isMapping else {
            if let quantity = node.plain.flatMap(sendQuantity) {
                log.error("a step of 'send' says what its number means", at: node, remedy: "write \(quantity)")
            } else {
                _ = session.word(node, among: ["rest", "trailers", "stall"])
            }
            return nil
        }
        guard let map = session.map(node, .sendStep) else { return nil }
        let keys = ["bytes", "wait", "chunk", "raw", "hex", "split", "signal", "await", "repeat"]
        guard let key = map.only(of: keys) else {
            map.missing("a step of 'send' needs one of \(keys.joined(separator: ", "))")
            return nil
        }
        for (extra, owner) in [("do", "repeat"), ("size-line", "chunk")] where key != owner && map.has(extra) {
            log.error("'\(extra)' goes with '\(owner)'", at: map.keyNode(extra))
        }
        return sendStep(map, key)
    }

    /// How a number that stands alone was probably meant.
    private func sendQuantity(_ text: String) -> String? {
        if case .value = Quantities.duration(text) { return "{wait: \(text)}" }
        if case .value = Quantities.size(text, allowsBare: true) { return "{bytes: \(text)}" }
        return nil
    }

    private func sendStep(_ map: MappingReader, _ key: String) -> SendStep? {
        switch key {
        case "bytes": return map.bytes(key).map { .bytes($0) }
        case "wait": return map.duration(key).map { .wait($0) }
        case "chunk":
            let sizeLine = map.text("size-line")
            return map.bytes(key).map { .chunk($0, sizeLine: sizeLine) }
        case "raw": return map.text(key).map { .raw(.text($0)) }
        case "hex": return map.value(key).map { .raw(.bytes(hexBytes($0))) }
        case "split": return map.bytes(key).map { .split(max(1, $0)) }
        case "signal": return map.label(key).map { .signal($0) }
        case "await": return map.label(key).map { .await($0) }
        default:
            let count = map.count(key, in: 0...CaseDecoder.largestRepeat)
            guard let steps = map.list("do") else {
                map.missing("'repeat' needs 'do', a list of steps")
                return nil
            }
            return .repeat(count ?? 0, steps.compactMap(sendStep))
        }
    }
}

extension SendStep {
    /// Steps that only chunked framing knows.
    fileprivate var needsChunks: Bool {
        switch self {
        case .chunk, .trailers: true
        case .repeat(_, let steps): steps.contains(where: \.needsChunks)
        default: false
        }
    }
}
