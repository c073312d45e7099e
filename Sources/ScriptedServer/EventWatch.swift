import NIOCore
import ServerScript

/// Someone waits for the journal of a scope to have so many entries of a kind. Touched on the event loop only.
final class EventWatch: @unchecked Sendable {  // Safety: but for `promise`, touched on the event loop only.
    let scope: String
    private let wanted: Int
    private let matches: @Sendable (ServerEvent) -> Bool
    private(set) var seen = 0
    /// Requests that the journal had forgotten before they could be counted.
    var missed = 0
    let promise: EventLoopPromise<EventWait>
    private(set) var isOver = false
    var alarm: Scheduled<Void>?

    init(
        _ wanted: Int, in scope: String, _ promise: EventLoopPromise<EventWait>,
        where matches: @escaping @Sendable (ServerEvent) -> Bool
    ) {
        self.scope = scope
        self.wanted = wanted
        self.promise = promise
        self.matches = matches
    }

    /// Returns whether it is the one.
    func take(_ event: ServerEvent) -> Bool {
        if case .startedOver = event.kind { restart() }
        guard matches(event) else { return false }
        seen += 1
        guard seen >= wanted else { return false }
        end(.happened(event))
        return true
    }

    /// What came before is forgotten: a new round, or the scope itself was forgotten and is opened anew.
    func restart() {
        seen = 0
        missed = 0
    }

    func end(because reason: EventWait.Hindrance) { end(.without(reason, seen: seen, missed: missed)) }

    func end(_ result: EventWait) {
        guard !isOver else { return }
        isOver = true
        alarm?.cancel()
        promise.succeed(result)
    }
}

/// What became of a wait.
package enum EventWait: Sendable {
    case happened(ServerEvent)
    /// It did not come: so many had been there, and so many requests were forgotten by then.
    case without(Hindrance, seen: Int, missed: Int)
    /// Too many wait already.
    case refused

    package enum Hindrance: Sendable { case deadline, cancelled, stopped }
}
