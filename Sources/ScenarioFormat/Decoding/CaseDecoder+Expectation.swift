import HTTPBasics
import ServerScript

extension CaseDecoder {
    func decodeExpectation(_ node: SourceNode) -> Expectation {
        var expectation = Expectation()
        let labels = tasks.map(\.label)
        guard let map = session.map(node, .expectation, openTo: labels) else { return expectation }
        for entry in map.entries where labels.contains(entry.key) && KeyTable.key(entry.key, of: .expectation) == nil {
            expectation.tasks.append(taskExpectation(entry))
        }
        expectation.wire = map.list("wire").map { $0.compactMap(wireEntry) }
        expectation.connections = map.value("connections").flatMap(counts)
        expectation.connectionsMark = map.value("connections")?.mark
        expectation.attempts = map.count("attempts", in: 0...10_000)
        expectation.attemptsMark = map.value("attempts")?.mark
        expectation.order = (map.list("order") ?? []).compactMap(order)
        expectation.closes = (map.list("wire-close") ?? []).compactMap(closeRule)
        expectation.temporaryFiles = map.map("disk", .disk)?.count("temporary-files")
        expectation.cookies = map.list("cookies").map { $0.compactMap(cookieMatch) }
        expectation.cookiesMark = map.value("cookies")?.mark
        expectation.becomesInvalid = map.word("session").map { $0 == "invalid" }
        return expectation
    }

    // MARK: - Tasks

    /// `t: ok`, `t: networkConnectionLost`, or a map.
    private func taskExpectation(_ entry: SourceNode.Entry) -> TaskExpectation {
        var result = TaskExpectation(label: entry.key, mark: entry.keyNode.mark)
        if let items = entry.value.items, items.contains(where: \.looksLikeEvent) {
            log.error(
                "a list here would be one of outcomes", at: entry.value, remedy: "write {events: [...]} around it")
            return result
        }
        // It may come to anything: what holds for every task is judged all the same.
        if entry.value.plain == "anything" {
            result.events = [.anything]
            return result
        }
        guard entry.value.isMapping else {
            result.events = [.anything, .event(completion(entry.value))]
            return result
        }
        guard let map = session.map(entry.value, .taskExpectation) else { return result }
        let complete = map.value("complete")
        let events = map.list("events")
        if map.only(of: ["events", "complete"]) == "events" {
            result.events = events.map(eventPatterns)
        } else {
            // An entry with only a body or moments means a task that ends well: without an end there is neither.
            let end = complete.map(completion) ?? EventMatch(success: entry.keyNode.mark)
            result.events = [.anything, .event(end)]
        }
        result.body = map.value("body").map { body($0) ?? .empty }
        result.timing = (map.list("timing") ?? []).compactMap(timing)
        return result
    }

    private func timing(_ node: SourceNode) -> TimingRule? {
        guard let map = session.map(node, .timing) else { return nil }
        let event = map.value("event").flatMap(point), since = map.value("since").flatMap(point)
        guard let within = map.value("within").flatMap(durations), let event, let since else { return nil }
        return TimingRule(event, since: since, within: within, mark: node.mark)
    }

    /// `resume`, `response`, `first data`, `last data`, `transactions.0.requestStart`.
    private func point(_ node: SourceNode) -> TimingRule.Point? {
        guard let text = session.text(node, what: "an event") else { return nil }
        if text == "resume" { return .resume }
        if text.hasPrefix("transactions.") || text.hasPrefix("taskInterval.") { return metricsPoint(text, at: node) }
        let words = text.split(separator: " ").map(String.init)
        let isQualified = words.count == 2 && ["first", "last"].contains(words[0])
        guard words.count == 1 || isQualified, let name = words.last, let word = eventWord(name, at: node) else {
            if words.count != 1, !isQualified {
                log.error("'\(text)' is not an event", at: node, remedy: "write resume, data, first data or last data")
            }
            return nil
        }
        return words[0] == "last" ? .last(word) : .first(word)
    }

    func durations(_ node: SourceNode) -> ClosedRange<Duration>? {
        guard let text = session.text(node, what: "durations a..b") else { return nil }
        guard let dots = text.firstRange(of: "..") else {
            log.error(
                "'\(text)' is not two durations", at: node, remedy: "write the earliest and the latest: 900ms..1s")
            return nil
        }
        let ends = [String(text[..<dots.lowerBound]), String(text[dots.upperBound...])].map(Quantities.duration)
        guard case .value(let lower) = ends[0], case .value(let upper) = ends[1] else {
            log.error("'\(text)' is not two durations", at: node, remedy: "both ends need a unit: 900ms..1s")
            return nil
        }
        guard lower <= upper else {
            log.error("'\(text)' ends before it begins", at: node)
            return nil
        }
        return lower...upper
    }

    // MARK: - Across tasks

    private func order(_ node: SourceNode) -> OrderRule? {
        guard let text = session.text(node, what: "'b.complete before a.complete'") else { return nil }
        guard let before = text.firstRange(of: " before ") else {
            let remedy = "write b.complete before a.complete, or GET /a before t.response"
            log.error("'\(text)' is not an order", at: node, remedy: remedy)
            return nil
        }
        let ends = [text[..<before.lowerBound], text[before.upperBound...]].map { $0.trimmingWhitespace }
        guard let earlier = place(String(ends[0]), at: node), let later = place(String(ends[1]), at: node) else {
            return nil
        }
        return OrderRule(earlier, before: later, mark: node.mark)
    }

    private func place(_ text: String, at node: SourceNode) -> OrderRule.Place? {
        let words = text.split(separator: " ")
        if words.count == 2, words[0].utf8.allSatisfy(ASCII.isTokenCharacter) { return .request(text) }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            log.error("'\(text)' is not an event of a task", at: node, remedy: "write t.complete")
            return nil
        }
        guard tasks.contains(where: { $0.label == parts[0] }) else {
            let remedy = Suggestion.remedy(for: parts[0], among: tasks.map(\.label))
            log.error("no task '\(parts[0])' in 'client'", at: node, remedy: remedy)
            return nil
        }
        return eventWord(parts[1], at: node).map { .event(task: parts[0], $0) }
    }

    private func closeRule(_ node: SourceNode) -> CloseRule? {
        guard let map = session.map(node, .wireClose) else { return nil }
        let task = map.value("conn-of").flatMap(taskLabel), side = map.word("by")
        guard let task, let side else { return nil }
        return CloseRule(task: task, byClient: side == "client", mark: node.mark)
    }

    // MARK: - The wire

    private func wireEntry(_ node: SourceNode) -> WireEntry? {
        let isGroup = node.entries?.contains { entry in
            entry.key == "unordered" || Suggestion.nearest(to: entry.key, among: ["unordered"]) != nil
        }
        guard isGroup == true else { return wire(node).map { .request($0) } }
        guard let map = session.map(node, .wireGroup) else { return nil }
        map.refuseEmpty("unordered")
        return .unordered((map.list("unordered") ?? []).compactMap(wire))
    }

    private func wire(_ node: SourceNode) -> WireExpectation? {
        guard let map = session.map(node, .wire) else { return nil }
        let line = map.value("line").flatMap(requestLine)
        var result = WireExpectation(line: line.map { "\($0.method) \($0.target)" } ?? "", mark: node.mark)
        result.fields = map.value("headers").map(fieldRules) ?? []
        result.absent = map.value("absent").map(fieldNames) ?? []
        result.body = bodyRule(map)
        return result
    }
}

extension EventMatch {
    fileprivate init(success mark: SourceMark) {
        self.init(.complete, mark: mark)
        outcomes = [.success]
    }
}

extension SourceNode {
    /// `response`, or `complete: ok`, and no outcome.
    fileprivate var looksLikeEvent: Bool {
        let word = plain ?? entries?.first?.key
        return word.flatMap(EventWord.init(rawValue:)) != nil
    }
}
