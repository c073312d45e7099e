import HTTPBasics
import NIOCore

/// How a connection gets through its proxy: what is said, and what is heard until it reaches the server.
///
/// Its exchange belongs to the connection: nothing of it is ever a task's (BEHAVIOUR 2.E4). All that a proxy makes it
/// hold is bounded.
package struct Tunnel {
    package enum Advance: Hashable, Sendable {
        /// More has to come.
        case wait
        /// Then `received` is asked again, if only with nothing: more may have come than the last answer.
        case send(ByteBuffer)
        /// What follows is the server's; `unread` has come of it.
        case open(unread: ByteBuffer)
        /// The proxy wants to know who asks. When its answer is over the connection may be asked again, or it is lost.
        case asked(ResponseHead, isReusable: Bool)
        case failed(Failure.Kind, detail: String)
    }

    private enum Dialogue {
        case connect(ConnectDialogue)
        case socks(SocksDialogue)
        case none(Failure.Kind, detail: String)
    }

    private var dialogue: Dialogue
    /// Whether anything has come from the proxy.
    package private(set) var hasHeard = false

    /// - Parameter authorization: The value of the field, for a proxy that has asked.
    package init(to origin: Origin, through proxy: Proxy, authorization: String? = nil, _ settings: ClientSettings) {
        switch proxy.kind {
        case .http: dialogue = .connect(ConnectDialogue(to: origin, authorization: authorization, settings))
        case .unusable:
            // A task finds out before anything is dialled.
            dialogue = .none(proxy.failure(for: origin), detail: proxy.refusal ?? "")
        case .socks4, .socks5: dialogue = .socks(SocksDialogue(to: origin, through: proxy))
        }
    }

    /// What an HTTP proxy has said when it opened.
    var success: ResponseHead? { if case .connect(let connect) = dialogue { connect.success } else { nil } }

    /// The first bytes.
    package mutating func begin() -> Advance {
        switch dialogue {
        case .connect(let connect): return .send(connect.request)
        case .socks(var socks):
            defer { dialogue = .socks(socks) }
            return socks.begin()
        case .none(let kind, let detail):
            return .failed(kind, detail: detail)
        }
    }

    package mutating func received(_ bytes: ByteBuffer) -> Advance {
        if bytes.readableBytes > 0 { hasHeard = true }
        switch dialogue {
        case .connect(var connect):
            defer { dialogue = .connect(connect) }
            return connect.received(bytes)
        case .socks(var socks):
            defer { dialogue = .socks(socks) }
            return socks.received(bytes)
        case .none: return .wait
        }
    }

    /// The proxy sends nothing more: by FIN, or because the connection broke.
    package mutating func ended(inOrder: Bool) -> Advance {
        switch dialogue {
        case .connect(var connect):
            defer { dialogue = .connect(connect) }
            return connect.ended(inOrder: inOrder)
        case .socks(let socks): return socks.ended()
        case .none: return .wait
        }
    }
}
