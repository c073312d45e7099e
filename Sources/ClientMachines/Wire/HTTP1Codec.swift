import HTTPBasics
import NIOCore

/// HTTP/1.1 (RFC 9112): one exchange at a time.
package final class HTTP1Codec: Codec {
    private let connection: ConnectionID
    private let settings: ClientSettings
    private var reader: ResponseReader
    private var task: TaskID?
    private var wasHeard = false
    /// The present request's body has no length that stands in its head.
    private var isChunked = false
    /// A chunk has begun whose line end is not written.
    private var owesLineEnd = false
    private var inFlight = BytesInFlight()
    /// Bytes of earlier requests that the transport has not taken.
    private var stale = 0
    /// Bytes of the present one that it has taken, and the task does not know.
    private var taken = 0
    private var isReusable = true
    package private(set) var keepAlive: Duration?

    package init(for connection: ConnectionID, _ settings: ClientSettings) {
        self.connection = connection
        self.settings = settings
        reader = ResponseReader(limits: settings.limits)
    }

    package var capacity: Int { 1 }

    // MARK: What the task says

    package func begin(
        _ task: TaskID, _ head: OutgoingHead, _ start: BodyStart, into outputs: inout [ClientOutput]
    ) -> Int {
        self.task = task
        wasHeard = false
        reader.begin(method: head.request.method)
        (isChunked, owesLineEnd) = (head.request.bodyLength == nil, false)
        var bytes = head.isAtHome ? head.bytes(settings) : head.bytes(settings.forStrangers)
        let count = bytes.readableBytes
        guard !start.isAbsent else {
            outputs.append(.writeHead(connection, bytes))
            return count
        }
        inFlight.add(framing: count)
        inFlight.add(body: start.bytes.readableBytes)
        // With the head in one piece: small requests leave in one write.
        bytes.writeImmutableBuffer(start.bytes)
        outputs.append(.write(connection, bytes))
        return count
    }

    package func send(_ part: BodyPart, of task: TaskID, into outputs: inout [ClientOutput]) {
        switch part {
        case .bytes(let bytes):
            if isChunked { frame("\(String(bytes.readableBytes, radix: 16))\r\n", into: &outputs) }
            inFlight.add(body: bytes.readableBytes)
            outputs.append(.write(connection, bytes))
        case .file(let offset, let count):
            inFlight.add(body: count)
            outputs.append(.writeFile(connection, task, offset: offset, count: count))
        case .end:
            if isChunked { frame("0\r\n\r\n", into: &outputs) }
        }
    }

    /// RFC 9112 7.1: every chunk but the first begins behind the line end of the one before.
    private func frame(_ line: String, into outputs: inout [ClientOutput]) {
        let bytes = ByteBuffer(string: owesLineEnd ? "\r\n\(line)" : line)
        owesLineEnd = true
        inFlight.add(framing: bytes.readableBytes)
        outputs.append(.write(connection, bytes))
    }

    package func took(_ bytes: Int) {
        let ofEarlier = min(stale, bytes)
        stale -= ofEarlier
        taken += bytes - ofEarlier
    }

    package func nextSent() -> (task: TaskID, sent: SentBytes)? {
        guard let task, taken > 0 else { return nil }
        let wire = taken
        taken = 0
        let body = inFlight.took(wire)
        return (task, SentBytes(wire: wire, body: body, left: inFlight.count))
    }

    // MARK: What the task hears

    package func feed(_ bytes: ByteBuffer) {
        reader.feed(bytes)
        wasHeard = true
    }

    package func nextHeard() -> TaskID? {
        defer { wasHeard = false }
        return wasHeard ? task : nil
    }

    package func inputEnded(inOrder: Bool) { reader.inputClosed(cleanly: inOrder) }

    package func next(for task: TaskID) -> ResponseEvent? {
        guard task == self.task, let event = reader.next() else { return nil }
        switch event {
        case .informational(let head): return .informational(head)
        case .head(let head, let length):
            keepAlive = KeepAliveHint.timeout(in: head)
            return .head(head, contentLength: length)
        case .body(let bytes): return .body(bytes)
        case .end(let reason):
            isReusable = reason == nil
            return .end
        case .failed(let failure):
            isReusable = false
            return .failed(failure)
        }
    }

    package func received(by task: TaskID) -> (head: Int64, body: Int64)? {
        task == self.task ? reader.receivedBytes : nil
    }

    package func wholeRest(for task: TaskID) -> ByteBuffer? { task == self.task ? reader.wholeRest : nil }

    package var bytesDue: Int { reader.missingBytes }

    // MARK: The end

    package func end(_ task: TaskID) -> Bool {
        self.task = nil
        stale += inFlight.count
        inFlight = BytesInFlight()
        return isReusable
    }

    package func takeUnread() -> [ByteBuffer] { reader.takeUnread() }

    /// What is left of the request is not sent, or what is left of the answer not read: nothing can follow.
    package func abandon(_ task: TaskID) -> Bool {
        self.task = nil
        isReusable = false
        return false
    }
}
