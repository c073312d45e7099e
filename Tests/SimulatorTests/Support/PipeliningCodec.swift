import HTTPBasics
import NIOCore

@testable import ClientMachines

/// HTTP/1.1 with up to three requests under way on a connection (RFC 9112 9.3.2), of such as end with their head.
///
/// No session speaks it: it is there so that tests see pool, tasks and simulator with more than one exchange at a time.
final class PipeliningCodec: Codec {
    private struct Exchange {
        /// Nil for one that was given up: its answer is passed over.
        var task: TaskID?
        var reader: ResponseReader
    }

    static let mostExchanges = 3

    private let connection: ConnectionID
    private let settings: ClientSettings
    /// In the order of the requests; only the first is being answered.
    private var exchanges: [Exchange] = []
    private var hasNews = false
    private var isReusable = true
    /// How the peer ended, which the exchanges learn one after another.
    private var endedInOrder: Bool?
    private(set) var keepAlive: Duration?

    init(for connection: ConnectionID, _ settings: ClientSettings) {
        (self.connection, self.settings) = (connection, settings)
    }

    var capacity: Int { Self.mostExchanges - exchanges.filter { $0.task == nil }.count }

    func begin(
        _ task: TaskID, _ head: OutgoingHead, _ start: BodyStart, into outputs: inout [ClientOutput]
    ) -> Int {
        if !start.isAbsent { outputs.append(.bug("a test pipelines a body")) }
        var exchange = Exchange(task: task, reader: ResponseReader(limits: settings.limits))
        exchange.reader.begin(method: head.request.method)
        exchanges.append(exchange)
        let bytes = RequestWriter.head(
            of: head.request, settings: settings, authorization: head.authorization, cookies: head.cookies,
            isPastCaches: head.isPastCaches)
        outputs.append(.writeHead(connection, bytes))
        return bytes.readableBytes
    }

    func send(_ part: BodyPart, of task: TaskID, into outputs: inout [ClientOutput]) {
        outputs.append(.bug("a test pipelines a body"))
    }

    func took(_ bytes: Int) {}
    func nextSent() -> (task: TaskID, sent: SentBytes)? { nil }

    func feed(_ bytes: ByteBuffer) {
        guard !exchanges.isEmpty else { return }
        exchanges[0].reader.feed(bytes)
        hasNews = true
        passOver()
    }

    func nextHeard() -> TaskID? {
        defer { hasNews = false }
        return hasNews ? exchanges.first?.task : nil
    }

    func inputEnded(inOrder: Bool) {
        endedInOrder = inOrder
        if !exchanges.isEmpty { exchanges[0].reader.inputClosed(cleanly: inOrder) }
    }

    func next(for task: TaskID) -> ResponseEvent? {
        guard exchanges.first?.task == task else { return nil }
        return nextOfFirst()
    }

    private func nextOfFirst() -> ResponseEvent? {
        switch exchanges[0].reader.next() {
        case nil: return nil
        case .informational(let head): return .informational(head)
        case .head(let head, let length):
            keepAlive = KeepAliveHint.timeout(in: head)
            return .head(head, contentLength: length)
        case .body(let bytes): return .body(bytes)
        case .end(let reason):
            // What stands behind is the next one's; a reader sees a reason to close in it.
            let isPipelined = exchanges.count > 1 && reason == .surplusBytes
            isReusable = isReusable && (reason == nil || isPipelined)
            return .end
        case .failed(let failure):
            isReusable = false
            return .failed(failure)
        }
    }

    func received(by task: TaskID) -> (head: Int64, body: Int64)? {
        exchanges.first { $0.task == task }?.reader.receivedBytes
    }

    func wholeRest(for task: TaskID) -> ByteBuffer? {
        exchanges.first.flatMap { $0.task == task ? $0.reader.wholeRest : nil }
    }

    var bytesDue: Int { exchanges.first?.reader.missingBytes ?? 0 }

    func end(_ task: TaskID) -> Bool {
        if exchanges.first?.task == task { goOn() }
        passOver()
        // An answer that is passed over is nobody's, and a connection without tasks must be silent.
        return isReusable && (exchanges.isEmpty || exchanges.contains { $0.task != nil })
    }

    func abandon(_ task: TaskID) -> Bool {
        guard let index = exchanges.firstIndex(where: { $0.task == task }) else { return isReusable }
        exchanges[index].task = nil
        guard index == 0 else { return isReusable }
        // Where its answer ends is not known, so that none behind it can be told.
        isReusable = false
        exchanges.removeFirst()
        inputEnded(inOrder: false)
        return false
    }

    /// The first exchange is over: what stands behind its answer belongs to the next one.
    private func goOn() {
        let rest = takeUnread()
        exchanges.removeFirst()
        guard !exchanges.isEmpty else { return }
        for bytes in rest { exchanges[0].reader.feed(bytes) }
        hasNews = hasNews || !rest.isEmpty
        if let endedInOrder { exchanges[0].reader.inputClosed(cleanly: endedInOrder) }
    }

    private func passOver() {
        while let first = exchanges.first, first.task == nil, let event = nextOfFirst() {
            if event == .end { goOn() }
            if case .failed = event { return }
        }
    }

    func takeUnread() -> [ByteBuffer] {
        exchanges.isEmpty ? [] : exchanges[0].reader.takeUnread()
    }
}
