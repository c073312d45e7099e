import Foundation
import HTTPBasics
import Locks
import ScriptedServer
import ServerScript

/// Puts the entries of a journal together to what a reader wants to know of each exchange, once it is answered, or
/// ends without an answer.
final class ExchangeLog: Sendable {
    struct Entry: Equatable {
        var scope = ""
        var connection = 0
        /// Counted from 1 on its connection.
        var exchange = 0
        var host = ""
        var method = ""
        /// Secrets are hidden.
        var target = ""
        var status: Int?
        var bodyBytes = 0
        var microseconds = 0
        /// What the script did to it on purpose.
        var faults: [String] = []
        var notes: [String] = []
        /// Nothing but the connection's.
        var isBare: Bool { method.isEmpty && faults.isEmpty && notes.isEmpty && violation == nil && end == nil }
        var violation: Violation?
        /// Why there was no answer.
        var end: String?
    }

    private struct Open {
        var entry: Entry
        var began: Instant
        var isTold = false
        /// What comes behind the answer: told by itself.
        var isAfterwards = false
    }

    /// Of connections that are open: no more than a server keeps.
    private let open = Lock<[Int: Open]>([:])

    /// The exchange that this ends, if it ends one.
    func take(_ event: ServerEvent) -> Entry? {
        open.withLock { open in
            let peer = event.peer.value
            if case .closed = event.kind {
                defer { open[peer] = nil }
                guard var left = open[peer], !left.isTold, !left.entry.isBare else { return nil }
                left.entry.end = left.entry.end ?? "the connection ended"
                return ExchangeLog.tell(&left, event)
            }
            var now = open[peer] ?? Open(entry: Entry(connection: peer), began: event.instant)
            defer { open[peer] = now }
            if now.isTold {
                let isAfterwards = now.entry.exchange == event.exchange + 1 && ExchangeLog.isAfterwards(event)
                now = Open(entry: Entry(connection: peer), began: event.instant, isAfterwards: isAfterwards)
            }
            now.entry.scope = event.scope
            now.entry.exchange = event.exchange + 1
            return ExchangeLog.add(event, to: &now)
        }
    }

    /// What is worth a line of its own behind the answer.
    private static func isAfterwards(_ event: ServerEvent) -> Bool {
        switch event.kind {
        case .faulted, .violation, .noted, .brokenOff, .secureFailed: true
        case .accepted, .request, .requestBody, .uploaded, .answered, .drew, .tunnelled, .closed, .exhausted,
            .abandoned, .startedOver:
            false
        }
    }

    private static func add(_ event: ServerEvent, to now: inout Open) -> Entry? {
        switch event.kind {
        case .request(let request):
            now = Open(entry: Entry(scope: event.scope, connection: event.peer.value), began: event.instant)
            now.entry.exchange = event.exchange + 1
            now.entry.host = request.host
            now.entry.method = request.method
            now.entry.target = Secrets.shown(request.target)
        case .requestBody(let body): now.entry.bodyBytes = body.count
        case .noted(let text):
            now.entry.notes.append(text)
            if now.isAfterwards { return tell(&now, event) }
        case .uploaded(let path, let body):
            let sum = String(body.checksum, radix: 16)
            now.entry.notes.append(
                "has all of \(Secrets.shown(path)): \(body.count.counting("byte")), FNV-1a \(sum)")
        case .drew(let fault, let happens, let seed):
            let chance = "\(fault.effect) at \(fault.landmark), \(fault.percent)% with seed \(seed)"
            now.entry.notes.append("\(happens ? "draws" : "is spared from") \(chance)")
        case .tunnelled(let host): now.entry.notes.append("goes on to \(host)")
        case .violation(let violation):
            now.entry.violation = violation
            if now.isAfterwards { return tell(&now, event) }
        case .faulted(let fault):
            now.entry.faults.append("\(fault.effect) at \(fault.landmark)")
            // An answer may follow a delay; but not for long may it be waited for, elsewhere.
            if case .delay = fault.effect, !now.isAfterwards { return nil }
            return tell(&now, event)
        case .answered(let status):
            now.entry.status = status
            if event.kind.isFinalAnswer { return tell(&now, event) }
        case .brokenOff(let part, let count):
            let place = "a request's \(part.rawValue), after \(count) bytes of it"
            now.entry.end = "the client went away in the middle of \(place)"
            return tell(&now, event)
        case .secureFailed(let failure):
            now.entry.end = "TLS failed: \(failure.detail)"
            return tell(&now, event)
        case .accepted, .closed, .exhausted, .abandoned, .startedOver: break
        }
        return nil
    }

    private static func tell(_ now: inout Open, _ event: ServerEvent) -> Entry {
        now.isTold = true
        now.entry.microseconds = Int(max(.zero, event.instant - now.began) / .microseconds(1))
        return now.entry
    }
}
