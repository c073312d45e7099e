import HTTPBasics

/// Server-sent events (WHATWG HTML 9.2).
extension Reply {
    /// Its body is these events from now on, and the end of the connection ends it. Fields of its own stay.
    package mutating func send(events: [SendStep]) {
        framing = .close
        for (name, value) in [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")]
        where !fields.contains(name) { fields.append(name, value) }
        timeline += events
    }

    /// The lines of an event that say this.
    package static func eventData(_ data: String) -> String {
        TextTemplate.Place.lines(data).map { "data: \($0)\n" }.joined()
    }

    package static func eventRetry(_ span: Duration) -> String { "retry: \(span.milliseconds)\n" }
}
