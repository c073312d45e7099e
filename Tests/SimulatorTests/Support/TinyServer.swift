import HTTPBasics
import MachineContract
import NIOCore
import ServerScript

/// A server machine for tests: what to do with each request head is a closure; bodies it does not know.
final class TinyServer: Machine {
    private(set) var deadline: Instant?
    private let answer: (PeerID, String) -> [ScriptOutput]
    private var heads: [PeerID: String] = [:]

    init(_ answer: @escaping (PeerID, String) -> [ScriptOutput]) { self.answer = answer }

    /// Answers every request with this body.
    convenience init(body: String) {
        self.init { peer, _ in [.write(peer, TinyServer.response(body))] }
    }

    static func response(_ body: String) -> ByteBuffer {
        ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    func handle(_ input: ScriptInput, at moment: Moment, into outputs: inout [ScriptOutput]) {
        switch input {
        case .received(let peer, let bytes):
            heads[peer, default: ""] += String(buffer: bytes)
            while let head = heads[peer], let end = head.firstRange(of: "\r\n\r\n") {
                heads[peer] = String(head[end.upperBound...])
                outputs += answer(peer, String(head[..<end.lowerBound].prefix { $0 != "\r\n" }))
            }
        case .inputClosed(let peer): outputs.append(.close(peer))
        case .signal(let name): outputs.append(.signal("\(name) heard"))
        case .accepted, .closed, .wrote, .cut, .secureFailed, .unstruck, .handshake, .endRound, .order, .timePassed:
            return
        }
    }
}
