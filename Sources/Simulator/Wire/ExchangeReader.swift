import DequeModule
import HTTPBasics
import NIOCore

/// What an observer of both directions of a connection understands; exchanges count from 0.
package enum WireEvent: Equatable, Sendable {
    case requestBegan(exchange: Int, method: String, target: String)
    case requestEnded(exchange: Int)
    /// The head of the final answer is out.
    case responseBegan(exchange: Int, status: Int, isCoded: Bool)
    case responseBody(exchange: Int, ByteBuffer)
    case responseEnded(exchange: Int)
    /// The rest of this connection cannot be judged.
    case unsure(exchange: Int)
}

/// Pairs requests with answers on one connection and says where each answer's parts lie.
struct ExchangeReader {
    private var requests = MessageReader()
    private var responses = MessageReader()
    private var begun = 0
    private var answered = 0
    private var methods: Deque<String> = []
    private var isInterim = false
    /// The present request is a CONNECT.
    private var isTunnelAsked = false
    private var offset: Int

    /// - Parameter offset: How many bytes of the server's stand before what is read.
    init(behind offset: Int = 0) { self.offset = offset }

    mutating func readFromClient(_ bytes: ByteBuffer, _ emit: (WireEvent) -> Void) {
        var bytes = bytes
        while let event = requests.next(&bytes) {
            switch event {
            case .head(let head, _):
                guard case .request(let method, let target) = head.start,
                    let framing = head.framing(fallback: .length(0))
                else {
                    requests.expect(nil)
                    emit(.unsure(exchange: begun))
                    continue
                }
                requests.expect(framing)
                methods.append(method)
                // What a proxy is asked before it lets the connection through is no exchange of a task's.
                isTunnelAsked = method == "CONNECT"
                if isTunnelAsked {
                    emit(.requestBegan(exchange: WireSpan.tunnel, method: method, target: target))
                    continue
                }
                begun += 1
                emit(.requestBegan(exchange: begun - 1, method: method, target: target))
            case .end: if !isTunnelAsked { emit(.requestEnded(exchange: begun - 1)) }
            case .unsure: emit(.unsure(exchange: begun))
            case .framing, .body: break
            }
        }
    }

    /// In place of `readFromClient`, where only this is known of requests.
    mutating func expectAnswer(to method: String) { methods.append(method) }

    mutating func readFromServer(_ bytes: ByteBuffer, _ mark: (WireSpan) -> Void, _ emit: (WireEvent) -> Void) {
        var bytes = bytes
        while let event = responses.next(&bytes) {
            switch event {
            case .head(let head, let bytes): noteHead(head, bytes, mark, emit)
            case .framing(let bytes): span(.framing, bytes, mark)
            case .body(let slice):
                span(.body, slice.readableBytes, mark)
                if methods.first != "CONNECT" { emit(.responseBody(exchange: answered, slice)) }
            case .end: noteEnd(emit)
            case .unsure(let bytes):
                span(.other, bytes, mark)
                emit(.unsure(exchange: answered))
            }
        }
    }

    mutating func serverFinished(_ emit: (WireEvent) -> Void) {
        if responses.finish() != nil { noteEnd(emit) }
    }

    private mutating func noteHead(
        _ head: MessageHead, _ bytes: Int, _ mark: (WireSpan) -> Void, _ emit: (WireEvent) -> Void
    ) {
        guard case .status(let status) = head.start,
            let framing = ExchangeReader.framing(of: head, status, methods.first)
        else {
            responses.expect(nil)
            span(.other, bytes, mark)
            return emit(.unsure(exchange: answered))
        }
        responses.expect(framing)
        span(.head, bytes, mark)
        isInterim = ExchangeReader.isInterim(status)
        if isInterim || methods.first == "CONNECT" { return }
        emit(.responseBegan(exchange: answered, status: status, isCoded: head.isCoded))
    }

    private mutating func noteEnd(_ emit: (WireEvent) -> Void) {
        if isInterim { return }
        if methods.popFirst() == "CONNECT" { return }
        emit(.responseEnded(exchange: answered))
        answered += 1
    }

    private mutating func span(_ kind: WireSpan.Kind, _ count: Int, _ mark: (WireSpan) -> Void) {
        guard count > 0 else { return }
        let exchange = methods.first == "CONNECT" ? WireSpan.tunnel : answered
        mark(WireSpan(kind: kind, exchange: exchange, range: offset..<offset + count))
        offset += count
    }

    /// An answer before any request has no method and cannot be judged.
    private static func framing(of head: MessageHead, _ status: Int, _ method: String?) -> MessageFraming? {
        guard let method else { return nil }
        if isInterim(status) { return .length(0) }
        let opensTunnel = method == "CONNECT" && (200..<300).contains(status)
        let hasNoBody = method == "HEAD" || status == 204 || status == 304 || opensTunnel
        return hasNoBody ? .length(0) : status == 101 ? nil : head.framing(fallback: .untilClose)
    }

    private static func isInterim(_ status: Int) -> Bool { status >= 100 && status < 200 && status != 101 }
}
