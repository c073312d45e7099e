import ServerScript

extension ScenarioPrinter {
    func expectation(_ expectation: Expectation) -> ShownValue {
        let tasks = expectation.tasks.map { ($0.label, Optional(task($0))) }
        let order = expectation.order.map { ShownValue.text("\(place($0.earlier)) before \(place($0.later))") }
        let closes = expectation.closes.map { rule in
            ShownValue.map([("conn-of", .text(rule.task)), ("by", .word(rule.byClient ? "client" : "server"))])
        }
        return .fields(
            tasks + [
                ("wire", expectation.wire.map { .list($0.map(wireEntry)) }),
                ("connections", expectation.connections.map { .word(Self.text($0)) }),
                ("attempts", expectation.attempts.map(number)),
                ("order", order.isEmpty ? nil : .list(order)),
                ("wire-close", closes.isEmpty ? nil : .list(closes)),
                ("disk", expectation.temporaryFiles.map { .map([("temporary-files", number($0))]) }),
                ("cookies", expectation.cookies.map { .list($0.map(cookie)) }),
                ("session", expectation.becomesInvalid == true ? .word("invalid") : nil),
            ])
    }

    private func place(_ place: OrderRule.Place) -> String {
        if case .request(let line) = place, case .text(let shown) = url(line) { return shown }
        return place.text
    }

    private func task(_ task: TaskExpectation) -> ShownValue {
        .fields([
            ("events", task.events.map { .list($0.map(pattern)) }), ("body", task.body.map(body)),
            ("timing", task.timing.isEmpty ? nil : .list(task.timing.map(timing))),
        ])
    }

    /// `2`, or `1..2`.
    package static func text(_ range: ClosedRange<Int>) -> String {
        range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)..\(range.upperBound)"
    }

    private func wireEntry(_ entry: WireEntry) -> ShownValue {
        switch entry {
        case .request(let request): wire(request)
        case .unordered(let requests): .map([("unordered", .list(requests.map(wire)))])
        }
    }

    private func wire(_ wire: WireExpectation) -> ShownValue {
        .fields(
            [("line", url(wire.line)), ("headers", rules(wire.fields)), ("absent", texts(wire.absent))]
                + bodyRule(wire.body))
    }

    // MARK: - Timing

    private func timing(_ rule: TimingRule) -> ShownValue {
        let ends = [rule.within.lowerBound, rule.within.upperBound].map { duration($0).flow }
        return .map([
            ("event", point(rule.event)), ("since", point(rule.since)), ("within", .word(ends.joined(separator: ".."))),
        ])
    }

    private func point(_ point: TimingRule.Point) -> ShownValue {
        switch point {
        case .resume: .word("resume")
        case .first(let word): .word("first \(word.rawValue)")
        case .last(let word): .word("last \(word.rawValue)")
        case .transaction(let index, let date): .word("transactions.\(index).\(date.rawValue)")
        case .taskInterval(let isEnd): .word("taskInterval.\(isEnd ? "end" : "start")")
        }
    }

    // MARK: - Events

    private func pattern(_ pattern: EventPattern) -> ShownValue {
        switch pattern {
        case .event(let match): event(match)
        case .maybe(let matches): .map([("maybe", .list(matches.map(event)))])
        case .unordered(let patterns): .map([("unordered", .list(patterns.map(self.pattern)))])
        case .never(let words): .map([("never", .list(words.map { .word($0.rawValue) }))])
        case .anything: .word("anything")
        case .repeat(let range, let pattern):
            .map([("repeat", .word("\(range.lowerBound)..\(range.upperBound)")), ("of", self.pattern(pattern))])
        case .anyOf(let lists): .map([("any-of", .list(lists.map { .list($0.map(self.pattern)) }))])
        }
    }

    private func event(_ match: EventMatch) -> ShownValue {
        if match.word == .complete {
            guard !match.outcomes.isEmpty else { return .word("complete") }
            let outcomes = match.outcomes.map(outcome)
            return .map([("complete", outcomes.count == 1 ? outcomes[0] : .list(outcomes))])
        }
        let properties = ShownValue.fields([
            ("status", match.status.map(number)), ("url", match.url.map(url)),
            ("to", match.to.map(url)), ("method", match.method.map { .text($0) }),
            ("realm", match.realm.map { .text($0) }), ("level", match.level.map { .word($0.rawValue) }),
            ("previousFailures", match.previousFailures.map(number)),
            ("proxy", match.isOfProxy.map { .word($0 ? "yes" : "no") }),
            ("offset", match.offset.map { size($0) }), ("total", match.total.map(total)),
            (
                match.word == .response ? "length" : "expected",
                match.expected.map { $0 < 0 ? .word("unknown") : size($0) }
            ),
            ("type", match.mimeType.map { .text($0) }), ("encoding", match.encoding.map { .text($0) }),
            ("filename", match.filename.map { .text($0) }), ("headers", rules(match.fields)),
            ("absent", texts(match.absent)), ("names", texts(match.names)),
            ("equals", match.content.map(body)),
            ("redirects", match.redirects.map(number)),
            ("transactions", match.transactions.map { .list($0.map(transaction)) }),
        ])
        return properties.isEmpty ? .word(match.word.rawValue) : .map([(match.word.rawValue, properties)])
    }

    private func transaction(_ match: TransactionMatch) -> ShownValue {
        let phases = { (list: [TransactionPhase]) in ShownValue.list(list.map { .word($0.rawValue) }) }
        return .fields([
            ("request", match.request.map { .text($0) }), ("status", match.status.map(status)),
            ("reused", match.isReused.map { .word($0 ? "yes" : "no") }),
            ("proxied", match.isProxied.map { .word($0 ? "yes" : "no") }),
            ("from", match.source.map { .word($0) }),
            ("protocol", match.protocolName.map { .word($0) }), ("family", match.family.map { .word($0) }),
            ("tls", match.tls.map { .word($0) }), ("phases", match.phases.map(phases)),
            ("unfinished", match.unfinished.map(phases)), ("sent", match.sent.map { size($0) }),
            ("sent-plain", match.sentPlain.map { size($0) }), ("received", match.received.map { size($0) }),
            ("received-plain", match.receivedPlain.map { size($0) }),
            ("sent-head", match.sentHead.map { size($0) }), ("received-head", match.receivedHead.map { size($0) }),
        ])
    }

    private func status(_ status: TransactionMatch.Status) -> ShownValue {
        switch status {
        case .none: .word("none")
        case .exactly(let code): number(code)
        }
    }

    private func total(_ rule: SizeRule) -> ShownValue {
        switch rule {
        case .exactly(let count): size(count)
        case .atLeast(let count): .word("at-least \(size(count).flow)")
        case .atMost(let count): .word("at-most \(size(count).flow)")
        }
    }

    private func outcome(_ outcome: EventMatch.Outcome) -> ShownValue {
        switch outcome {
        case .success: .word("ok")
        case .failure(let code, nil): .word(code)
        case .failure(let code, let hasData?):
            .map([("error", .word(code)), ("resume-data", .word(hasData ? "present" : "absent"))])
        }
    }
}

/// Known differences of other clients.
extension ScenarioPrinter {
    func differences(_ list: [KnownDifference]) -> ShownValue? {
        guard !list.isEmpty else { return nil }
        return .fields(
            ClientName.others.map { client in
                let records = list.filter { $0.client == client }
                return (client.rawValue, records.isEmpty ? nil : .list(records.map(difference)))
            })
    }

    private func difference(_ record: KnownDifference) -> ShownValue {
        let isEverywhere = record.styles.count == Style.allCases.count
        return .fields([
            ("verdict", .word(record.verdict.rawValue)),
            ("seen", record.seen.count == 1 ? record.seen.first.map { .text($0) } : texts(record.seen)),
            ("may", texts(record.may.map(\.rawValue))),
            ("styles", isEverywhere ? nil : texts(record.styles.map(\.rawValue))),
            ("because", .text(record.because)),
            ("against", record.against.map { .text($0.text) }),
        ])
    }
}
