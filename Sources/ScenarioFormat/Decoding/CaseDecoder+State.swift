import ServerScript

/// Named values and counters, and delays that differ.
extension CaseDecoder {
    /// `state` and `count` of `where`.
    func stateRules(_ map: MappingReader) -> [StateRule] {
        let values = map.value("state").map { entries($0, "such as {order: paid}") } ?? []
        let counts = map.value("count").map { entries($0, "such as {tries: at-least 3}") } ?? []
        return values.compactMap(stateRule) + counts.compactMap(countRule)
    }

    private func stateRule(_ entry: SourceNode.Entry) -> StateRule? {
        guard isStateName(entry.key, at: entry.keyNode) else { return nil }
        switch entry.value.plain {
        case "present": return StateRule(entry.key, .present)
        case "none": return StateRule(entry.key, .none)
        default: return session.text(entry.value, what: "a value").map { StateRule(entry.key, .equals(StateName($0))) }
        }
    }

    private func countRule(_ entry: SourceNode.Entry) -> StateRule? {
        guard isStateName(entry.key, at: entry.keyNode),
            let words = session.text(entry.value, what: "a count")?.split(separator: " "), let last = words.last
        else { return nil }
        guard words.count == 1 || words.count == 2 && ["at-least", "at-most"].contains(words[0]),
            case .value(let number) = Quantities.integer(String(last))
        else {
            let remedy = "a number, or 'at-least' or 'at-most' and a number"
            log.error("'\(words.joined(separator: " "))' is not a count", at: entry.value, remedy: remedy)
            return nil
        }
        switch words[0] {
        case "at-least": return StateRule(entry.key, .count(number...Int.max))
        case "at-most": return StateRule(entry.key, .count(0...number))
        default: return StateRule(entry.key, .count(number...number))
        }
    }

    /// `set` and `count` of an exchange: counters first, so that a value may have the new count in it.
    func stateChanges(_ map: MappingReader) -> [StateChange] {
        let counters = map.value("count").map(session.oneOrMore) ?? []
        let counts = counters.compactMap { node -> StateChange? in
            guard let name = session.text(node, what: "a counter's name"), isStateName(name, at: node) else {
                return nil
            }
            return StateChange(name, .count)
        }
        let values = map.value("set").map { entries($0, "such as {order: paid}") } ?? []
        return counts
            + values.compactMap { entry in
                guard isStateName(entry.key, at: entry.keyNode) else { return nil }
                return session.text(entry.value, what: "a value").map {
                    StateChange(entry.key, .set(StateName($0)))
                }
            }
    }

    private func entries(_ node: SourceNode, _ example: String) -> [SourceNode.Entry] {
        let none: [SourceNode.Entry]? =
            node.entries == nil ? session.wrong(node, expected: "a map of names", remedy: example) : nil
        return node.entries ?? none ?? []
    }

    /// Letters, digits, `-` and `_`, with words of the request among them.
    private func isStateName(_ text: String, at node: SourceNode) -> Bool {
        if Variables.isName(StateName(text).plain) { return true }
        log.error(
            "'\(text)' cannot be the name of a value or a counter", at: node,
            remedy: "a letter, then letters, digits, '-' and '_', and words such as $path.id")
        return false
    }

    // MARK: - Delays

    /// A duration, or a map that says how it differs from request to request.
    func delay(of reply: inout Reply, _ node: SourceNode) {
        guard node.isMapping else {
            reply.delay = session.duration(node) ?? .zero
            return
        }
        guard let map = session.map(node, .delaySpread) else { return }
        let ends = map.list("uniform")?.compactMap(session.duration)
        let normal = map.map("log-normal", .logNormal)
        switch map.only(of: ["uniform", "log-normal"]) {
        case "uniform":
            guard let ends, ends.count == 2, ends[0] <= ends[1] else {
                log.error("'uniform' has two durations, the shorter one first", at: map.value("uniform") ?? node)
                return
            }
            (reply.delay, reply.delaySpread) = (ends[0], .uniform(ends[1] - ends[0]))
        case "log-normal":
            guard let normal else { return }
            let sigma = normal.value("sigma").flatMap(thousandths)
            if let median = normal.duration("median"), let sigma {
                reply.delaySpread = .logNormal(median: median, sigma: sigma)
            }
        default: map.missing("a delay that differs needs 'uniform' or 'log-normal'")
        }
    }

    private func thousandths(_ node: SourceNode) -> Int? {
        let text = session.text(node, what: "a number such as 0.5") ?? ""
        let halves = text.split(separator: ".", omittingEmptySubsequences: false)
        let fraction = halves.count == 2 ? String(halves[1]) : ""
        guard (1...2).contains(halves.count), fraction.utf8.count <= 3, halves.count == 1 || !fraction.isEmpty,
            let number = Int(halves[0] + fraction + String(repeating: "0", count: 3 - fraction.utf8.count)),
            (100...3000).contains(number), text.utf8.allSatisfy({ $0 != 0x2b && $0 != 0x2d })
        else {
            log.error("'\(text)' is no sigma", at: node, remedy: "0.1 to 3.0, with at most three decimals")
            return nil
        }
        return number
    }

    // MARK: - Server-sent events

    /// Events as a timeline: each is bytes of a body that the end of the connection ends.
    func events(of reply: inout Reply, _ map: MappingReader) {
        guard let steps = map.list("events") else { return }
        for other in ["body", "range-of", "send", "chunked", "trailers"] where map.has(other) {
            log.error("'events' and '\(other)' exclude each other in a reply", at: map.keyNode(other))
        }
        reply.send(events: steps.flatMap(eventSteps))
    }

    private func eventSteps(_ node: SourceNode) -> [SendStep] {
        if node.plain == "stall" { return [.stall] }
        guard node.isMapping else {
            _ = session.word(node, among: ["stall"])
            return []
        }
        guard let map = session.map(node, .sentEventStep) else { return [] }
        let signal = map.label("signal").map(SendStep.signal), wait = map.label("await").map(SendStep.await)
        let pause = map.duration("wait").map { [SendStep.wait($0)] } ?? []
        if let alone = signal ?? wait {
            if map.entries.count > 1 { log.error("'signal' and 'await' stand alone in 'events'", at: node) }
            return [alone]
        }
        var text = ""
        for key in ["comment", "event", "id"] {
            guard let value = map.text(key) else { continue }
            if value.contains(where: \.isNewline) { log.error("'\(key)' is one line", at: map.keyNode(key)) }
            text += "\(key == "comment" ? "" : key): \(value)\n"
        }
        if let retry = map.duration("retry") { text += Reply.eventRetry(retry) }
        if let data = map.text("data") { text += Reply.eventData(data) }
        guard !text.isEmpty else {
            if pause.isEmpty { map.missing("a step of 'events' needs 'data', 'comment', 'retry' or 'wait'") }
            return pause
        }
        return pause + [.raw(.text(text + "\n"))]
    }
}
