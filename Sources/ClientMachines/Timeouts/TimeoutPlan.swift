import HTTPBasics

/// The two timers of a task as one next deadline.
///
/// The request timer measures silence: any progress in either direction starts it anew (BEHAVIOUR 1.D2). It stands
/// still while a question to the user is open (1.D4), while a slow user holds the transfer back, and while the task
/// is suspended (1.D5). The resource timer starts once and never stops, but fires only while the task runs (1.D3).
package struct TimeoutPlan: Equatable, Sendable {
    package enum Expiry: Equatable, Sendable { case request, resource }

    /// In nanoseconds: it is added at each event.
    private let silence: Int64
    private let resourceDeadline: Instant
    private var requestDeadline: Instant?
    private var isSuspended = false

    package init(request: Duration, resource: Duration, at now: Instant) {
        silence = request.nanoseconds
        resourceDeadline = now + resource
    }

    /// Something moved: the silence begins anew.
    package mutating func progressed(at now: Instant) {
        if requestDeadline != nil { requestDeadline = now.advanced(byNanoseconds: silence) }
    }

    /// From here on only the peer is to blame for silence.
    package mutating func startWaiting(at now: Instant) {
        if requestDeadline == nil { requestDeadline = now.advanced(byNanoseconds: silence) }
    }

    /// The user's turn: silence is not the peer's fault.
    package mutating func stopWaiting() { requestDeadline = nil }

    package mutating func suspend() { isSuspended = true }
    package mutating func resume() { isSuspended = false }

    package var deadline: Instant? {
        guard !isSuspended else { return nil }
        guard let requestDeadline else { return resourceDeadline }
        return min(requestDeadline, resourceDeadline)
    }

    /// Which timer has run out, if any.
    package func expired(at now: Instant) -> Expiry? {
        guard let deadline, deadline <= now else { return nil }
        return deadline == resourceDeadline ? .resource : .request
    }
}
