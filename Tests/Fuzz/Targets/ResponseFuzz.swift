import ClientMachines
import HTTPBasics
import NIOCore

/// The client's response reader. The first line is the request's method, the rest what the server sends.
enum ResponseFuzz {
    /// Small, so that small inputs reach them.
    private static let limits = {
        var limits = WireLimits()
        limits.headBytes = 1024
        limits.fieldCount = 16
        limits.informationalResponses = 2
        limits.chunkLineBytes = 64
        limits.trailerBytes = 128
        return limits
    }()

    static func check(_ bytes: ByteBuffer) throws {
        let input = FuzzInput(bytes)
        var first: ResponseSummary?
        for arrival in Arrival.all(of: input.rest) {
            let summary = try read(arrival, method: input.firstLine, cleanly: true)
            try demand(summary, equals: first ?? summary, "a response reads differently \(arrival)")
            first = summary
        }
        let broken = try read(
            Arrival(description: "whole", pieces: [input.rest]), method: input.firstLine, cleanly: false)
        guard var first, broken != first else { return }
        // A reset must not pass for an end, and changes nothing else.
        first.last = .failed(.connectionLostInBody)
        try demand(broken, equals: first, "a reset changed more than the end")
    }

    private static func read(_ arrival: Arrival, method: String, cleanly: Bool) throws -> ResponseSummary {
        var reader = ResponseReader(limits: limits)
        reader.begin(method: method)
        var summary = ResponseSummary()
        for piece in arrival.pieces {
            reader.feed(piece)
            try pull(from: &reader, into: &summary)
            let isOpen = summary.last == nil
            try demand(
                !isOpen || reader.bufferedByteCount < limits.headBytes, "\(reader.bufferedByteCount) bytes are kept")
            try demand(!isOpen || summary.heads.isEmpty || reader.bufferedByteCount == 0, "body bytes are kept")
        }
        reader.inputClosed(cleanly: cleanly)
        try pull(from: &reader, into: &summary)
        try demand(summary.last != nil, "the connection ended, and the response did not")
        try demand(reader.next() == nil, "an event after the last")
        try summary.checkLength(method: method)
        return summary
    }

    private static func pull(from reader: inout ResponseReader, into summary: inout ResponseSummary) throws {
        while let event = reader.next() { try summary.add(event) }
    }
}

/// What a response amounts to, however its body was split.
struct ResponseSummary: Equatable {
    enum Last: Equatable {
        /// Whether bytes behind the end are seen in time depends on when they come: both count as no reason.
        case end(CloseReason?)
        case failed(WireFailure)
    }

    var informational: [ResponseHead] = []
    /// One at most.
    var heads: [ResponseHead] = []
    var contentLength: DeclaredLength?
    var body = ByteBuffer()
    var last: Last?

    /// informational* (head body* (end | failed) | failed)
    mutating func add(_ event: ResponseReader.Event) throws {
        try demand(last == nil, "\(event) after the last event")
        switch event {
        case .informational(let head):
            try demand(heads.isEmpty, "an informational head after the head")
            try demand(100...199 ~= head.status && head.status != 101, "\(head.status) as informational")
            informational.append(head)
        case .head(let head, let length):
            try demand(heads.isEmpty, "a second head")
            heads.append(head)
            contentLength = length
        case .body(let piece):
            try demand(!heads.isEmpty, "a body before the head")
            try demand(piece.readableBytes > 0, "an empty piece of body")
            body.writeImmutableBuffer(piece)
        case .end(let reason):
            try demand(!heads.isEmpty, "an end before the head")
            last = .end(reason == .surplusBytes || reason == .peerClosed ? nil : reason)
        case .failed(let failure):
            last = .failed(failure)
        }
    }

    func checkLength(method: String) throws {
        guard let contentLength, let status = heads.first?.status else { return }
        // These have no body, whatever they say of one (RFC 9112 6.3).
        if method == "HEAD" || status == 204 || status == 304 { return }
        let count = DeclaredLength(counted: body.readableBytes)
        if case .end = last { try demand(count, equals: contentLength, "the body's length is not what the head says") }
        try demand(count <= contentLength, "the body is longer than the head says")
    }
}
