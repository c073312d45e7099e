import Foundation
import Judge
import ScriptedServer
import ServerScript

/// What `understudy serve --log json` says to programs: each line an object whose `type` is `listening`, `exchange`,
/// `verdict` or `note`.
enum ServeJSON {
    static func listening(_ host: String, _ url: String) -> String {
        var line = JSONLine(type: "listening")
        line.add("host", host)
        line.add("url", url)
        return line.line
    }

    static func note(_ text: String) -> String {
        var line = JSONLine(type: "note")
        line.add("text", text)
        return line.line
    }

    /// - Parameter date: When it was answered.
    static func exchange(_ entry: ExchangeLog.Entry, at date: Date) -> String {
        var line = JSONLine(type: "exchange")
        line.add("time", time(date))
        if !entry.scope.isEmpty { line.add("scope", entry.scope) }
        line.add("connection", entry.connection)
        line.add("exchange", entry.exchange)
        if !entry.host.isEmpty { line.add("host", entry.host) }
        if !entry.method.isEmpty {
            line.add("method", entry.method)
            line.add("target", entry.target)
            line.add("requestBytes", entry.bodyBytes)
        }
        if let status = entry.status { line.add("status", status) }
        line.add("microseconds", entry.microseconds)
        if !entry.faults.isEmpty { line.add("faults", entry.faults) }
        if !entry.notes.isEmpty { line.add("notes", entry.notes) }
        if let violation = entry.violation {
            line.add("violation", violation.summary)
            if let nearest = violation.nearest { line.add("closest", "\(nearest)") }
            line.add("differences", violation.differences)
        }
        if let end = entry.end { line.add("end", end) }
        return line.line
    }

    static func verdict(_ verdict: Verdict) -> String {
        var line = JSONLine(type: "verdict")
        if !verdict.scope.isEmpty { line.add("scope", verdict.scope) }
        line.add("fulfilled", verdict.isFulfilled)
        line.add("requests", verdict.requestCount)
        line.add("violationCount", verdict.violationCount)
        line.add("violations", verdict.violations)
        line.add("unconsumed", verdict.unconsumed)
        switch verdict.abandonment {
        case .silence(let span): line.add("abandoned", "nothing happened in its steps for \(EventText.text(span))")
        case .asked: line.add("abandoned", "asked")
        case nil: break
        }
        return line.line
    }

    /// RFC 3339, in UTC, with milliseconds.
    private static func time(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
