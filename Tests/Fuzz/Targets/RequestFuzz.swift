import HTTPBasics
import NIOCore
import ServerScript
import TestSupport

/// The scripted server's request reader, with requests one behind the other as a connection brings them.
enum RequestFuzz {
    static func check(_ bytes: ByteBuffer) throws {
        var first: [RequestReader.Event]?
        for arrival in Arrival.all(of: bytes) {
            for bodyLimit in [Int.max, 7] {
                let events = try read(arrival.pieces, bodyLimit: bodyLimit)
                try demand(
                    events, equals: first ?? events, "requests read differently \(arrival), at most \(bodyLimit)")
                first = events
            }
        }
        let recent = RecentHeads()
        for time in ["first", "second"] {
            for arrival in Arrival.all(of: bytes) {
                try demand(
                    try read(arrival.pieces, recent: recent), equals: first, "the \(time) time read differently")
            }
        }
        for case .head(let head) in first ?? [] { try checkRoundTrip(head) }
    }

    /// The events, pieces of a body joined.
    static func read(
        _ pieces: [ByteBuffer], bodyLimit: Int = .max, recent: RecentHeads? = nil
    ) throws -> [RequestReader.Event] {
        var reader = RequestReader()
        var events: [RequestReader.Event] = []
        for piece in pieces {
            reader.receive(piece)
            while let event = recent.map({ reader.next(knowing: $0) }) ?? reader.next(bodyLimit: bodyLimit) {
                if case .body(let body) = event {
                    try demand(1...bodyLimit ~= body.readableBytes, "a piece out of bounds")
                }
                events.append(event)
                guard case .malformed = event else { continue }
                try demand(reader.next(bodyLimit: bodyLimit), equals: event, "what is malformed heals")
                return joined(events)
            }
            try demand(reader.bufferedBytes < RequestReader.headLimit, "\(reader.bufferedBytes) bytes are kept")
        }
        return joined(events)
    }

    private static func joined(_ events: [RequestReader.Event]) -> [RequestReader.Event] {
        SplitFeeder.merged(events) { left, right in
            guard case .body(var body) = left, case .body(let more) = right else { return nil }
            body.writeImmutableBuffer(more)
            return .body(body)
        }
    }

    /// What was accepted, written down plainly, is the same request.
    private static func checkRoundTrip(_ head: ReceivedHead) throws {
        var text = "\(head.method) \(head.target) HTTP/1.\(head.minorVersion)\r\n"
        for field in head.fields.list { text += "\(field.name): \(field.value)\r\n" }
        let again = try read([ByteBuffer(string: text + "\r\n")])
        try demand(again.first, equals: .head(head), "a head written again reads differently")
    }
}
