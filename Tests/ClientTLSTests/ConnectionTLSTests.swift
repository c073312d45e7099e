import ClientMachines
import HTTPBasics
import NIOCore
import ServerScript
import ServerTLS
import TLSBasics
import TLSEngine
import TestCertificates
import Testing

@testable import ClientTLS

/// Two layers, one within the other, between a client and a proxy's host; bytes pass in pieces of one size.
private final class LayeredPair {
    private static let id = ConnectionID(1)
    private static let date = UnixTime(seconds: 1_600_000_000)

    private let session: SessionTLS
    private let hosts: [String: HostSecurity]
    private let piece: Int
    private(set) var client: ConnectionTLS?
    private(set) var server: PeerTLS?
    private(set) var inputs: [String] = []
    private(set) var moves: [String] = []
    private(set) var got = ByteBuffer()

    init(_ versions: ClosedRange<TLSVersion>, piece: Int) throws {
        self.piece = piece
        session = SessionTLS(
            ClientSettings(),
            SessionTLS.Surroundings(library: .system, store: TrustStore(anchors: TestCertificates.authority)))
        var plan = HostTLS()
        plan.versions = versions
        hosts = try ["a.test", "b.test"].reduce(into: [:]) {
            $0[$1] = try HostSecurity(plan, library: .system, date: Self.date)
        }
    }

    /// Another layer at both ends, within the one that is there.
    func secure(_ host: String) throws {
        let origin = Origin(scheme: "https", host: host, port: 443)
        let peer = host == "b.test" ? SecuredPeer.proxy(origin, trustScope: nil) : .server(ConnectionRoute(to: origin))
        client = try session.secure(Self.id, with: peer, within: client).get()
        server = try hosts[host]?.accept(within: server)
        pump()
    }

    func pump() {
        var isBusy = true
        while isBusy {
            isBusy = false
            while let input = client?.nextInput() {
                note(input)
                isBusy = true
            }
            if var bytes = client?.takeAnswers() {
                while let next = bytes.readSlice(length: min(piece, bytes.readableBytes)), next.readableBytes > 0 {
                    server?.received(next)
                }
                isBusy = true
            }
            while let move = server?.nextMove() {
                note(move)
                isBusy = true
            }
        }
    }

    private func note(_ input: ClientInput) {
        switch input {
        case .trustAsked:
            inputs.append("trust")
            client?.decide(.evaluate, at: Self.date)
        case .secured: inputs.append("secured")
        case .received(_, var bytes): got.writeBuffer(&bytes)
        case .inputClosed: inputs.append("ended")
        case .closed: inputs.append("lost")
        case .secureFailed(_, let failure): inputs.append("\(failure.kind) of \(failure.proxy?.host ?? "the server")")
        default: inputs.append("\(input)")
        }
    }

    private func note(_ move: PeerTLS.Move) {
        switch move {
        case .send(var bytes):
            while let next = bytes.readSlice(length: min(piece, bytes.readableBytes)), next.readableBytes > 0 {
                client?.received(next)
            }
        case .received(let bytes): moves.append(String(buffer: bytes))
        case .fin: client?.receivedEnd()
        default: moves.append("\(move)")
        }
    }
}

/// BEHAVIOUR 2.E11, 2.E11-cut
@Suite struct ConnectionTLSTests {
    private static let pieces = [1, 7, 1_000, 1 << 20]
    private static let versions: [TLSVersion] = [.tls12, .tls13]

    private static func pair(_ version: TLSVersion, _ piece: Int) throws -> LayeredPair {
        let pair = try LayeredPair(version...version, piece: piece)
        try pair.secure("b.test")
        pair.server?.write(ByteBuffer(string: "go on"))
        pair.pump()
        try pair.secure("a.test")
        return pair
    }

    @Test(arguments: versions, pieces)
    func `two layers carry what one would, however the bytes come`(version: TLSVersion, piece: Int) throws {
        let pair = try Self.pair(version, piece)
        #expect(pair.inputs == ["trust", "secured", "trust", "secured"])
        pair.client?.write(ByteBuffer(string: "hello"))
        pair.server?.write(ByteBuffer(repeating: 120, count: 40_000))
        pair.pump()
        #expect(pair.moves.joined() == "hello")
        #expect(pair.got.readableBytes == 40_005)
        #expect(pair.client?.unopenedBytes == 0 && pair.client?.isUntouched() == true)
        pair.client?.close()
        pair.pump()
        #expect(pair.moves.last == "inputClosed")
    }

    @Test(
        arguments: versions,
        [
            (PeerEnd.both, ["ended"]), (.inner, ["ended", "lost"]), (.outer, ["lost"]), (.neither, ["lost"]),
            (.record, ["secureConnectionFailed of b.test"]), (.innerRecord, ["secureConnectionFailed of the server"]),
        ])
    func `the inner layer alone ends what is said`(version: TLSVersion, end: (PeerEnd, [String])) throws {
        let pair = try Self.pair(version, 1_000)
        switch end.0 {
        case .both: pair.server?.closeOutput()
        case .inner: pair.server?.strike(.closeNotify, ofProxy: false)
        case .outer: pair.server?.strike(.closeNotify, ofProxy: true)
        case .neither: break
        case .record: pair.server?.strike(.badRecord, ofProxy: true)
        case .innerRecord: pair.server?.strike(.badRecord, ofProxy: false)
        }
        pair.pump()
        pair.client?.receivedEnd()
        pair.pump()
        #expect(Array(pair.inputs.dropFirst(4)) == end.1)
    }

    enum PeerEnd: Sendable { case both, inner, outer, neither, record, innerRecord }

    @Test func `a fault of a layer that is not there cannot be done`() throws {
        let pair = try LayeredPair(.tls13 ... .tls13, piece: 1_000)
        try pair.secure("a.test")
        pair.server?.strike(.badRecord, ofProxy: true)
        pair.pump()
        #expect(pair.moves.last?.contains("TLS around it") == true)
    }
}
