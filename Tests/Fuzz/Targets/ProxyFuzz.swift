import ClientMachines
import HTTPBasics
import NIOCore

/// What a proxy says before it lets a connection through: a byte that says which kind of proxy, then all of its
/// answers. The outcome does not depend on how they were split.
enum ProxyFuzz {
    private enum Outcome: Equatable {
        /// With what it has said meanwhile, and what is left for the server's side.
        case open(sent: Int, unread: Int)
        case asked(status: Int)
        case failed(Failure.Kind)
        case waits(sent: Int)
    }

    static func check(_ bytes: ByteBuffer) throws {
        var bytes = bytes
        guard let choice: UInt8 = bytes.readInteger() else { return }
        let credential = choice & 8 == 0 ? nil : Credential(user: "ann", password: "s3cret")
        let kinds = [Proxy.Kind.http, .socks4, .socks5, .socks5]
        let proxy = Proxy(kinds[Int(choice & 3)], host: "p.test", port: 8080, credential: credential)
        let whole = outcome(proxy, [bytes])
        let single = outcome(proxy, bytes.readableBytesView.map { ByteBuffer(bytes: [$0]) })
        try demand(single, equals: whole, "split bytes lead to another outcome")
    }

    private static func outcome(_ proxy: Proxy, _ pieces: [ByteBuffer]) -> Outcome {
        let origin = Origin(scheme: "https", host: "a.test", port: 443)
        var tunnel = Tunnel(to: origin, through: proxy, ClientSettings())
        var step = tunnel.begin()
        var sent = 0, left = pieces[...]
        while true {
            switch step {
            case .send(let bytes):
                sent += bytes.readableBytes
                step = tunnel.received(ByteBuffer())
                continue
            case .wait: break
            case .open(let unread):
                return .open(sent: sent, unread: unread.readableBytes + left.reduce(0) { $0 + $1.readableBytes })
            case .asked(let head, _): return .asked(status: head.status)
            case .failed(let kind, _): return .failed(kind)
            }
            guard let next = left.popFirst() else { break }
            step = tunnel.received(next)
        }
        switch tunnel.ended(inOrder: true) {
        case .asked(let head, _): return .asked(status: head.status)
        case .failed(let kind, _): return .failed(kind)
        case .open, .send, .wait: return .waits(sent: sent)
        }
    }
}
