import ServerScript

/// A move of an answer that consists of server-sent events.
public struct SentEvent: Hashable, Sendable {
    let step: SendStep
    /// Why no client could read it.
    private(set) var complaint: String?

    private init(_ step: SendStep) { self.step = step }

    /// An event that leaves at once. Words of the request in it stand for what that brings, see `ServerReply.set`.
    ///
    /// - Parameters:
    ///   - data: Its data; each line is one of the event's.
    ///   - event: The name of its kind, one line; nil for none.
    ///   - id: What a client says that comes again, one line; nil for none.
    public static func data(_ data: String, event: String? = nil, id: String? = nil) -> SentEvent {
        var text = ""
        if let event { text += "event: \(event)\n" }
        if let id { text += "id: \(id)\n" }
        var sent = SentEvent(.raw(.text(text + Reply.eventData(data) + "\n")))
        if [event, id].contains(where: { TextTemplate.Place.lines($0 ?? "").count > 1 }) {
            sent.complaint = "the name and the id of an event are one line each"
        }
        return sent
    }

    /// A comment, which clients pass over; one line.
    public static func comment(_ text: String) -> SentEvent {
        var sent = SentEvent(.raw(.text(": \(text)\n\n")))
        if TextTemplate.Place.lines(text).count > 1 { sent.complaint = "the comment of an event is one line" }
        return sent
    }

    /// How long clients should wait before they come again, in whole milliseconds.
    public static func retry(_ span: Duration) -> SentEvent {
        guard span >= .zero, span < .seconds(86_401) else {
            var sent = SentEvent(.wait(.zero))
            sent.complaint = "clients are told to come again within a day"
            return sent
        }
        return SentEvent(.raw(.text(Reply.eventRetry(span) + "\n")))
    }

    /// A pause.
    public static func wait(_ span: Duration) -> SentEvent { SentEvent(.wait(span)) }

    /// Lets answers go on that await this name.
    public static func signal(_ name: String) -> SentEvent { SentEvent(.signal(name)) }

    /// Goes on when the test calls `ScriptedServer.signal` with this name, or another answer gives the signal.
    public static func await(_ name: String) -> SentEvent { SentEvent(.await(name)) }

    /// Nothing more, on an open connection.
    public static let stall = SentEvent(.stall)
}

extension ServerReply {
    /// Sends these server-sent events, then the end of the connection; with a Content-Type of `text/event-stream` and a
    /// Cache-Control of `no-store`, unless it has others.
    public func events(_ events: SentEvent...) -> ServerReply {
        let reply = changed { $0.send(events: events.map(\.step)) }
        return events.lazy.compactMap(\.complaint).first.map(reply.complaining) ?? reply
    }
}
