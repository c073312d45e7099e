import HTTPBasics
import ServerScript

extension CaseDecoder {
    func protocolRules(_ map: MappingReader) -> [ProtocolRule] {
        (map.list("protocol") ?? []).compactMap { session.map($0, .protocolRule).flatMap(protocolRule) }
    }

    private func protocolRule(_ map: MappingReader) -> ProtocolRule? {
        let line = map.value("request").flatMap(requestLine)
        let status = map.status("status"), fields = map.value("headers").map(headers) ?? Fields()
        let body = map.value("body").map { self.body($0) ?? .empty }
        let redirect = map.value("redirect").flatMap(requestLine)
        let error = map.value("error").flatMap(errorName), stalls = map.yesNo("stall") ?? false
        let calls = protocolCalls("calls", map), kept = protocolCalls("kept", map)
        let keep = map.value("keep").flatMap { session.word($0, among: ProtocolRule.Keeping.allCases.map(\.rawValue)) }
        let isMarked = map.yesNo("marked") ?? false, realm = map.text("challenge")
        if map.has("marked"), !map.has("redirect") {
            log.error("'marked' goes with 'redirect'", at: map.keyNode("marked"))
        }
        for key in ["body", "headers", "error", "stall", "calls", "challenge", "keep", "kept"]
        where map.has("redirect") && map.has(key) {
            log.error("'\(key)' and 'redirect' exclude each other", at: map.keyNode(key))
        }
        if map.has("withdrawn"), !map.has("challenge") {
            log.error("'withdrawn' goes with 'challenge'", at: map.keyNode("withdrawn"))
        }
        if stalls, map.has("error") { log.error("'stall' and 'error' exclude each other", at: map.keyNode("stall")) }
        guard let line else { return nil }
        let answer: ProtocolRule.Answer
        if let redirect {
            var next = ProtocolRule.Redirect(method: redirect.method, target: redirect.target)
            next.isMarked = isMarked
            answer = .redirect(status: status ?? 302, next)
        } else if let error, body == nil, status == nil {
            answer = .failure(error)
        } else {
            let end = error.map { .failure($0) } ?? (stalls ? ProtocolRule.End.stall : .finish)
            answer = .response(status: status ?? 200, fields, body, end)
        }
        var rule = ProtocolRule(
            method: line.method, target: line.target, canonicalTarget: map.text("canonical"), answer: answer)
        rule.calls = calls
        rule.kept = kept
        rule.keep = keep.flatMap(ProtocolRule.Keeping.init) ?? .never
        rule.realm = realm
        rule.withdrawal = map.duration("withdrawn")
        rule.has = map.value("has").map(headers) ?? Fields()
        rule.absent = map.value("absent").map(fieldNames) ?? []
        return rule
    }

    private func protocolCalls(_ key: String, _ map: MappingReader) -> [ProtocolRule.Call]? {
        map.list(key)?.compactMap {
            session.word($0, among: ProtocolRule.Call.allCases.map(\.rawValue)).flatMap(ProtocolRule.Call.init)
        }
    }

    private func errorName(_ node: SourceNode) -> String? {
        guard let name = session.text(node, what: "the name of an error") else { return nil }
        guard ErrorNames.all.contains(name) else {
            log.error(
                "no URLError.Code is named '\(name)'", at: node,
                remedy: Suggestion.remedy(for: name, among: ErrorNames.all))
            return nil
        }
        return name
    }
}
