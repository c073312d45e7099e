import HTTPBasics
import NIOCore

/// CONNECT and its answer (RFC 9110 9.3.6).
struct ConnectDialogue {
    let request: ByteBuffer
    private var reader: ResponseReader
    private let limits: WireLimits
    /// Of an answer that asks; what follows it is read past.
    private var asking: ResponseHead?
    private var drained = 0
    /// The head that has opened the tunnel.
    private(set) var success: ResponseHead?

    init(to origin: Origin, authorization: String?, _ settings: ClientSettings) {
        limits = settings.limits
        reader = ResponseReader(limits: settings.limits)
        reader.begin(method: "CONNECT")
        request = RequestWriter.connect(to: origin, settings, authorization: authorization)
    }

    mutating func received(_ bytes: ByteBuffer) -> Tunnel.Advance {
        reader.feed(bytes)
        return goOn()
    }

    mutating func ended(inOrder: Bool) -> Tunnel.Advance {
        reader.inputClosed(cleanly: inOrder)
        let step = goOn()
        // It had asked, and did not wait for the answer.
        if step == .wait, let asking { return .asked(asking, isReusable: false) }
        let detail = "The proxy ended the connection before it had answered."
        return step == .wait ? .failed(.httpsProxyConnectionFailure, detail: detail) : step
    }

    private mutating func goOn() -> Tunnel.Advance {
        while let event = reader.next() {
            switch event {
            case .informational: continue
            case .head(let head, let length):
                guard head.status != 407 else {
                    asking = head
                    if let length, length > DeclaredLength(counted: limits.drainBytes) {
                        return .asked(head, isReusable: false)
                    }
                    continue
                }
                // Of a success nothing but the head is heard, whatever it says of a body (BEHAVIOUR 2.E4-length).
                if 200..<300 ~= head.status {
                    success = head
                    continue
                }
                return .failed(
                    .httpsProxyConnectionFailure, detail: "The proxy refused to connect, with status \(head.status).")
            case .body(let bytes):
                drained += bytes.readableBytes
                if let asking, drained > limits.drainBytes { return .asked(asking, isReusable: false) }
            case .end(let reason):
                if let asking { return .asked(asking, isReusable: reason == nil && reader.bufferedByteCount == 0) }
                var unread = ByteBuffer()
                for piece in reader.takeUnread() { unread.writeImmutableBuffer(piece) }
                return .open(unread: unread)
            case .failed(let failure):
                if let asking { return .asked(asking, isReusable: false) }
                if failure.kind == .networkConnectionLost {
                    let detail = "The proxy ended the connection before it had answered."
                    return .failed(.httpsProxyConnectionFailure, detail: detail)
                }
                return .failed(.unexpectedConnectAnswer, detail: "The proxy's answer is no HTTP: \(failure.detail)")
            }
        }
        return .wait
    }
}
