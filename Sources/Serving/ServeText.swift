import HTTPBasics
import Judge
import ScriptedServer
import ServerScript

/// What `understudy serve` says to people.
enum ServeText {
    static func verdict(_ verdict: Verdict) -> [String] {
        let place = prefix(of: verdict.scope)
        let count = verdict.requestCount.counting("request")
        if verdict.isFulfilled { return ["\(place)fulfilled: \(count), all as scripted"] }
        let lines = verdict.description.split(separator: "\n").map { "  \($0)" }
        switch verdict.abandonment {
        case .silence(let span):
            let reason = "nothing happened in its steps for \(EventText.text(span)) (round-timeout)"
            return ["\(place)ABANDONED after \(count), \(reason):"] + lines
        case .asked: return ["\(place)ABANDONED after \(count), SIGHUP:"] + lines
        case nil: return ["\(place)NOT fulfilled, \(count):"] + lines
        }
    }

    /// A script among several has a name that says what it is.
    private static func prefix(of scope: String) -> String {
        if scope.isEmpty { return "" }
        return scope.hasPrefix("/") ? "\(scope): " : "scope \(scope): "
    }

    private static func prefix(_ connection: Int, _ scope: String) -> String {
        "#\(connection)\(scope.isEmpty ? "" : " \(scope):")"
    }

    /// All that is worth telling of an exchange in a line, and what was wrong with it behind.
    static func exchange(_ entry: ExchangeLog.Entry) -> String {
        var line = prefix(entry.connection, entry.scope)
        if !entry.method.isEmpty { line += " \(entry.method) \(entry.target)" }
        if entry.bodyBytes > 0 { line += " (\(entry.bodyBytes.counting("byte")))" }
        if let status = entry.status { line += " -> \(status)\(duration(entry.microseconds))" }
        let more = entry.faults.map { "-> \($0)" } + entry.notes + [entry.end].compactMap(\.self)
        if !more.isEmpty { line += " " + more.joined(separator: "; ") }
        return ([line] + (entry.violation.map(violation) ?? [])).joined(separator: "\n")
    }

    private static func violation(_ violation: Violation) -> [String] {
        ["   VIOLATION \(violation.summary)"] + violation.differences.map { "     \($0)" }
    }

    /// The clock is read once for all that one piece of a request sets off: mostly the answer, too.
    private static func duration(_ microseconds: Int) -> String {
        microseconds < 1000 ? "" : " in \(microseconds / 1000) ms"
    }

    /// A line for each entry of the journal that says something.
    static func event(_ event: ServerEvent) -> String? {
        let prefix = prefix(event.peer.value, event.scope)
        switch event.kind {
        case .request(let request): return "\(prefix) \(request.method) \(Secrets.shown(request.target))"
        case .noted(let text): return "\(prefix) noted: \(text)"
        case .uploaded(let path, let body):
            let sum = String(body.checksum, radix: 16)
            return "\(prefix) has all of \(Secrets.shown(path)): \(body.count.counting("byte")), FNV-1a \(sum)"
        case .answered(let status): return "\(prefix) -> \(status)"
        case .faulted(let fault): return "\(prefix) -> \(fault.effect) at \(fault.landmark)"
        case .drew(let fault, let happens, let seed):
            let chance = "\(fault.effect) at \(fault.landmark), \(fault.percent)% with seed \(seed)"
            return "\(prefix) \(happens ? "draws" : "is spared from") \(chance)"
        case .brokenOff(let part, let count):
            let place = "a request's \(part.rawValue), after \(count) bytes of it"
            return "\(prefix) the client went away in the middle of \(place)"
        case .tunnelled(let host): return "\(prefix) goes on to \(host)"
        case .secureFailed(let failure): return "\(prefix) TLS failed: \(failure.detail)"
        case .violation(let violation):
            return (["\(prefix) VIOLATION \(violation.summary)"] + violation.differences.map { "     \($0)" })
                .joined(separator: "\n")
        case .accepted, .requestBody, .closed, .exhausted, .abandoned, .startedOver: return nil
        }
    }
}
