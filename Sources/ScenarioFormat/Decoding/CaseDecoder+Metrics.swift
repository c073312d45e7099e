import ServerScript

/// What a list of events says about metrics.
extension CaseDecoder {
    func transaction(_ node: SourceNode) -> TransactionMatch? {
        guard let map = session.map(node, .transaction) else { return nil }
        var match = TransactionMatch(mark: node.mark)
        match.request = map.value("request").flatMap(requestLine).map { "\($0.method) \($0.target)" }
        if let status = map.value("status") {
            match.status =
                status.plain == "none"
                ? TransactionMatch.Status.none : session.count(status, in: 100...999).map { .exactly($0) }
        }
        match.isReused = map.yesNo("reused")
        match.isProxied = map.yesNo("proxied")
        match.source = map.word("from")
        match.protocolName = map.word("protocol")
        match.family = map.word("family")
        match.tls = map.word("tls")
        match.phases = phases("phases", map)
        match.unfinished = phases("unfinished", map)
        match.sent = map.bytes("sent")
        match.sentPlain = map.bytes("sent-plain")
        match.received = map.bytes("received")
        match.receivedPlain = map.bytes("received-plain")
        match.sentHead = map.bytes("sent-head")
        match.receivedHead = map.bytes("received-head")
        return match
    }

    private func phases(_ key: String, _ map: MappingReader) -> [TransactionPhase]? {
        let words = TransactionPhase.allCases.map(\.rawValue)
        return map.list(key)?.compactMap { session.word($0, among: words) }.compactMap(TransactionPhase.init)
    }

    /// `taskInterval.start`, `transactions.0.responseEnd`; nil for what is no date of metrics.
    func metricsPoint(_ text: String, at node: SourceNode) -> TimingRule.Point? {
        if text == "taskInterval.start" { return .taskInterval(isEnd: false) }
        if text == "taskInterval.end" { return .taskInterval(isEnd: true) }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, case .value(let index) = Quantities.integer(parts[1]), index < 1000 else {
            let remedy = "such as transactions.0.responseEnd, of the first one, or taskInterval.start"
            log.error("'\(text)' is no date of metrics", at: node, remedy: remedy)
            return nil
        }
        guard let date = TransactionDate(rawValue: parts[2]) else {
            let remedy = Suggestion.remedy(for: parts[2], among: TransactionDate.allCases.map(\.rawValue))
            log.error("'\(text)' is no date of metrics", at: node, remedy: remedy)
            return nil
        }
        return .transaction(index, date)
    }
}
