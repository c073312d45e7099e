import HTTPBasics
import ScenarioFormat
import ServerScript

/// How events and patterns are printed: both in the words of a scenario file, so that they line up in a diff.
package enum EventText {
    package static func text(_ event: SeenEvent) -> String {
        var properties: [String] = []
        if let outcome = event.outcome { return "\(event.word.rawValue): \(text(outcome))" }
        add("status", event.status, to: &properties)
        add("url", event.url, to: &properties)
        add("to", event.to, to: &properties)
        add("method", event.method, to: &properties)
        add("realm", event.realm, to: &properties)
        add("level", event.level, to: &properties)
        add("previousFailures", event.previousFailures, to: &properties)
        if event.isOfProxy == true { properties.append("proxy: yes") }
        add("offset", event.offset, to: &properties)
        add("total", event.total, to: &properties)
        add("expected", event.expected, to: &properties)
        if let content = event.content, event.total == nil { properties.append("size: \(content.count)") }
        if let metrics = event.metrics {
            properties.append("redirects: \(metrics.redirects)")
            properties.append("transactions: [\(metrics.transactions.map(\.outline).joined(separator: ", "))]")
        }
        return line(event.word, properties)
    }

    package static func text(_ match: EventMatch) -> String {
        if !match.outcomes.isEmpty {
            return "\(match.word.rawValue): \(match.outcomes.map(text).joined(separator: " or "))"
        }
        var properties: [String] = []
        add("status", match.status, to: &properties)
        add("url", match.url, to: &properties)
        add("to", match.to, to: &properties)
        add("method", match.method, to: &properties)
        add("realm", match.realm, to: &properties)
        add("level", match.level, to: &properties)
        add("previousFailures", match.previousFailures, to: &properties)
        if let isOfProxy = match.isOfProxy { properties.append("proxy: \(isOfProxy ? "yes" : "no")") }
        add("offset", match.offset, to: &properties)
        add("total", match.total.map(text), to: &properties)
        add("expected", match.expected, to: &properties)
        for name in match.absent { properties.append("\(name): absent") }
        for field in match.fields { properties.append("\(field.name): \(text(field))") }
        if match.content != nil { properties.append("content") }
        add("redirects", match.redirects, to: &properties)
        if let transactions = match.transactions { properties.append("transactions: \(transactions.count)") }
        return line(match.word, properties)
    }

    /// No more of an event than tells it from others of its kind.
    static func outline(_ event: SeenEvent) -> String {
        if let outcome = event.outcome { return "\(event.word.rawValue): \(text(outcome))" }
        var properties: [String] = []
        add("status", event.status, to: &properties)
        return line(event.word, properties)
    }

    /// The pattern as one or more lines, nested ones indented.
    static func lines(_ pattern: EventPattern, indent: String = "") -> [String] {
        let deeper = indent + "  "
        switch pattern {
        case .event(let match): return [indent + text(match)]
        case .maybe(let matches): return matches.map { "\(indent)maybe \(text($0))" }
        case .unordered(let patterns):
            return [indent + "unordered:"] + patterns.flatMap { lines($0, indent: deeper) }
        case .never(let words): return ["\(indent)never: [\(words.map(\.rawValue).joined(separator: ", "))]"]
        case .anything: return [indent + "anything"]
        case .repeat(let range, let pattern):
            return ["\(indent)repeat: \(range.lowerBound)..\(range.upperBound)"] + lines(pattern, indent: deeper)
        case .anyOf(let lists):
            let alternatives = lists.map { $0.flatMap { lines($0, indent: deeper) } }
            return [indent + "any-of:"] + Array(alternatives.joined(separator: [deeper + "or"]))
        }
    }

    package static func text(_ outcome: SeenEvent.Outcome) -> String {
        switch outcome {
        case .success: return "ok"
        case .failure(let code, let hasResumeData): return "\(code)\(hasResumeData ? " with resume data" : "")"
        }
    }

    static func text(_ outcome: EventMatch.Outcome) -> String {
        switch outcome {
        case .success: return "ok"
        case .failure(let code, nil): return code
        case .failure(let code, true?): return "\(code) with resume data"
        case .failure(let code, false?): return "\(code) without resume data"
        }
    }

    static func text(_ rule: SizeRule) -> String {
        switch rule {
        case .exactly(let size): return "\(size)"
        case .atLeast(let size): return "at-least \(size)"
        case .atMost(let size): return "at-most \(size)"
        }
    }

    private static func text(_ field: RequestMatch.NamedRule) -> String {
        switch field.rule {
        case .equals(let value): return Secrets.shown(value, ofField: field.name)
        case .present: return "present"
        case .contains, .matches:
            return field.rule.wanted(isSecret: Secrets.isSecret(field: field.name)) {
                "'\(Secrets.shown($0, ofField: field.name))'"
            }
        }
    }

    /// `+1.204 s` since the case began.
    package static func text(_ instant: Instant) -> String {
        let milliseconds = instant.nanoseconds / 1_000_000
        let fraction = String(milliseconds % 1000)
        return "+\(milliseconds / 1000).\(String(repeating: "0", count: max(0, 3 - fraction.count)))\(fraction) s"
    }

    /// The shortest exact unit: `1s`, `900ms`, `15us`.
    package static func text(_ duration: Duration) -> String {
        let nanoseconds = duration.nanoseconds
        for (size, unit) in [(1_000_000_000 as Int64, "s"), (1_000_000, "ms"), (1000, "us")]
        where nanoseconds % size == 0 {
            return "\(nanoseconds / size)\(unit)"
        }
        guard nanoseconds > 100_000 else { return "\(nanoseconds)ns" }
        // Measured, not written: more digits say nothing.
        let tenths = (nanoseconds + 50_000) / 100_000
        return "\(tenths / 10).\(tenths % 10)ms"
    }

    private static func line(_ word: EventWord, _ properties: [String]) -> String {
        properties.isEmpty ? word.rawValue : "\(word.rawValue): {\(properties.joined(separator: ", "))}"
    }

    private static func add(_ name: String, _ value: (some CustomStringConvertible)?, to list: inout [String]) {
        if let value { list.append("\(name): \(Secrets.shown(value.description))") }
    }
}
