import NIOCore
import TLSBasics
import TLSEngine
import TestSupport

/// A client of TLS on a plain socket, which trusts everybody and keeps all that came, as it came.
final class SecuredSocket {
    let socket: RawSocket
    let end: TLSConnection
    /// What was agreed upon; nil before that.
    private(set) var facts: TLSFacts?
    private(set) var failure: TLSFailure.Kind?
    /// The server has said that it sends nothing more.
    private(set) var hasEnded = false
    private(set) var plaintext: [UInt8] = []
    /// Off the wire, and where the connection was secured in it.
    private(set) var raw: [UInt8] = []
    private(set) var securedAt: Int?

    init(port: Int, ip: String, versions: ClosedRange<TLSVersion> = .tls12 ... .tls13) throws {
        socket = try RawSocket(port: port, ip: ip)
        let context = try TLSClientContext(library: .system, versions: versions, applicationProtocols: ["http/1.1"])
        end = try TLSConnection(client: context, host: "a.test", resuming: nil)
        end.start()
    }

    /// Takes part until `isEnough`, or until the connection ends or keeps silent for `patience` milliseconds: nil in
    /// the first case.
    @discardableResult func receive(patience: Int32 = 10_000, until isEnough: () -> Bool) -> RawSocket.End? {
        while true {
            takeEvents()
            sendAll()
            if isEnough() { return nil }
            let (bytes, end) = socket.receiveSome(patience: patience)
            if let end {
                if end != .silence { self.end.receiveEnd() }
                takeEvents()
                return end
            }
            raw += bytes
            self.end.receive(ByteBuffer(bytes: bytes))
        }
    }

    func receiveToEnd(patience: Int32 = 10_000) -> RawSocket.End {
        receive(patience: patience) { false } ?? .silence
    }

    func send(_ text: String) { send(ByteBuffer(string: text)) }

    func send(_ bytes: ByteBuffer) {
        end.send(bytes)
        sendAll()
    }

    /// What came off the wire once the connection was secured.
    var behindHandshake: [UInt8] { securedAt.map { Array(raw[$0...]) } ?? [] }

    /// The types of the records that came, and the length of each; the last may be longer than what came of it.
    static func records(_ bytes: [UInt8]) -> [(type: UInt8, length: Int)] {
        var rest = bytes[...]
        var records: [(UInt8, Int)] = []
        while rest.count >= 5, let type = rest.first {
            let header = Array(rest.prefix(5))
            let length = Int(header[3]) << 8 + Int(header[4])
            records.append((type, length))
            rest = rest.dropFirst(5 + length)
        }
        return records
    }

    private func takeEvents() {
        while let event = end.nextEvent() {
            switch event {
            case .trustAsked: end.answerTrust(true, alert: .closeNotify)
            case .identityAsked: end.answerIdentity(nil)
            case .secured(let facts):
                self.facts = facts
                securedAt = raw.count
            case .received(let bytes): plaintext += Array(bytes.readableBytesView)
            case .ended: hasEnded = true
            case .failed(let failure): self.failure = failure.kind
            case .ticket: break
            }
        }
    }

    /// What the server does not take any more is of no use.
    private func sendAll() {
        if let bytes = end.takeCiphertext() { socket.send(Array(bytes.readableBytesView)) }
    }
}
