import HTTPBasics
import ScenarioFormat
import ServerScript

extension EventMatch {
    /// Why the event is not the one that is meant; nil when it is.
    func difference(from event: SeenEvent) -> String? {
        guard word == event.word else { return "another event" }
        let differences: [String?] = [
            compare("status", status, event.status), urlDifference(event), compare("to", to, event.to),
            totalDifference(event), compare("expected", expected, event.expected),
            compare("offset", offset, event.offset), compare("realm", realm, event.realm),
            compare("method", method, event.method), compare("type", mimeType, event.mimeType),
            compare("encoding", encoding, event.encoding), compare("filename", filename, event.filename),
            compare("level", level, event.level),
            compare("previousFailures", previousFailures, event.previousFailures),
            compare("proxy", isOfProxy, event.isOfProxy),
            FieldComparison.difference(of: fields, in: event.fields), nameDifference(event), absenceDifference(event),
            contentDifference(event), metricsDifference(event),
            outcomeDifference(event),
        ]
        return differences.lazy.compactMap { $0 }.first
    }

    private func compare<Value: Equatable & CustomStringConvertible>(
        _ name: String, _ wanted: Value?, _ got: Value?
    ) -> String? {
        guard let wanted, wanted != got else { return nil }
        return Secrets.shown("\(name): expected \(wanted), got \(got?.description ?? "none")")
    }

    /// A URL without an origin means that path on any host.
    private func urlDifference(_ event: SeenEvent) -> String? {
        guard let url, let got = event.url, !url.hasPrefix("$origin"), got.hasPrefix("$origin") else {
            return compare("url", url, event.url)
        }
        let path = got.firstIndex(of: "/").map { String(got[$0...]) } ?? "/"
        return compare("url", url, path)
    }

    private func absenceDifference(_ event: SeenEvent) -> String? {
        absent.first { event.fields.contains($0) }.map { "field \($0) is there" }
    }

    private func nameDifference(_ event: SeenEvent) -> String? {
        let got = event.fields.list.map(\.name)
        return names.first { !got.contains($0) }.map { name in
            let other = got.first { $0.lowercased() == name.lowercased() }
            return "name of a field: expected '\(name)', got \(other.map { "'\($0)'" } ?? "none")"
        }
    }

    private func totalDifference(_ event: SeenEvent) -> String? {
        guard let total else { return nil }
        let got = event.total ?? event.bytes
        let holds: Bool
        switch total {
        case .exactly(let size): holds = got == size
        case .atLeast(let size): holds = got >= size
        case .atMost(let size): holds = got <= size
        }
        return holds ? nil : "total: expected \(EventText.text(total)), got \(got)"
    }

    private func contentDifference(_ event: SeenEvent) -> String? {
        guard let content else { return nil }
        guard let got = event.content else { return "content: nothing to compare with" }
        return got.difference(from: content).map { "content: \($0)" }
    }

    private func outcomeDifference(_ event: SeenEvent) -> String? {
        guard !outcomes.isEmpty else { return nil }
        guard let got = event.outcome else { return "no outcome" }
        let accepts = outcomes.contains { wanted in
            switch (wanted, got) {
            case (.success, .success): return true
            case (.failure(let code, let wantsData), .failure(let gotCode, let hasData)):
                return code == gotCode && (wantsData ?? hasData) == hasData
            default: return false
            }
        }
        guard !accepts else { return nil }
        return "expected \(outcomes.map(EventText.text).joined(separator: " or ")), got \(EventText.text(got))"
    }
}

/// Field rules, as response events and requests on the wire share them.
enum FieldComparison {
    static func difference(of rules: [RequestMatch.NamedRule], in fields: Fields) -> String? {
        for rule in rules {
            guard let value = fields.joined(rule.name) else { return "field \(rule.name) is absent" }
            if rule.rule.holds(for: value) == true { continue }
            // Of what a journal holds only the scheme is left.
            guard !Secrets.isAuthorization(rule.name) else {
                var expected = ""
                if case .equals(let text) = rule.rule { expected = "expected scheme \(Secrets.scheme(of: text)), " }
                return "field \(rule.name): \(expected)got '\(value)'; "
                    + "its value is never kept: 'where' under 'server' compares it"
            }
            let wanted = rule.rule.wanted(isSecret: Secrets.isSecret(field: rule.name)) {
                "'\(Secrets.shown($0, ofField: rule.name))'"
            }
            let got = Secrets.shown(value, ofField: rule.name)
            return "field \(rule.name): expected \(wanted), got '\(got)'\(rule.rule.note(on: value))"
        }
        return nil
    }
}
