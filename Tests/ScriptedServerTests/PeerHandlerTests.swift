import HTTPBasics
import NIOCore
import ServerScript
import ServerTLS
import TLSBasics
import TLSEngine
import TestSupport
import Testing

@testable import ScriptedServer

@Suite(.endsInTime) struct PeerHandlerTests {
    /// A client that asks a server for new keys without end, and reads nothing once it is secured.
    private struct Flooder {
        let client: SecuredSocket
        var sent = 0

        /// Until the kernels take no more for half a second, or `bound` bytes have gone.
        mutating func flood(upTo bound: Int) {
            var rest: [UInt8] = []
            var vainly = 0
            while sent < bound, vainly < 10 {
                if rest.isEmpty {
                    for _ in 0..<1_000 { client.end.updateKeys() }
                    rest = client.end.takeCiphertext().map { Array($0.readableBytesView) } ?? []
                }
                let taken = client.socket.sendWithoutWaiting(rest)
                rest.removeFirst(taken)
                sent += taken
                vainly = taken > 0 ? 0 : vainly + 1
            }
        }
    }

    // BEHAVIOUR 2.B1-answers, of a server
    @Test func `a client that asks for new keys and never reads is not read for ever`() async throws {
        let security = try HostSecurity(HostTLS(), library: .system, date: UnixTime(seconds: 1_767_225_600))
        let server = try await BareServer(security: ["a.test": security], kernelBuffer: 16 << 10)
        let address = server.listeners.addresses["a.test"] ?? ("", 0)
        let client = try SecuredSocket(port: address.port, ip: address.ip, versions: .tls13 ... .tls13)
        client.socket.useSmallBuffers()
        client.receive { client.facts != nil }
        var flooder = Flooder(client: client)
        // Far more than the kernel's small buffers take.
        let bound = 1 << 20
        flooder.flood(upTo: bound)
        #expect(flooder.sent < bound, "\(flooder.sent) bytes were read")
        client.socket.close()
        #expect(try await server.becomesEmpty())
        try await server.stop()
    }

    @Test func `a client that is kept waiting in a handshake is not read meanwhile`() async throws {
        var tls = HostTLS()
        tls.versions = .tls13 ... .tls13
        tls.fault = HandshakeFault(at: .finished, do: .delay(.seconds(60)))
        let security = try HostSecurity(tls, library: .system, date: UnixTime(seconds: 1_767_225_600))
        let server = try await BareServer(security: ["a.test": security], kernelBuffer: 16 << 10)
        let address = server.listeners.addresses["a.test"] ?? ("", 0)
        let client = try SecuredSocket(port: address.port, ip: address.ip, versions: .tls13 ... .tls13)
        client.socket.useSmallBuffers()
        let peer = PeerID(0)
        #expect(await server.recorder.next() == .accepted(peer, host: "a.test"))
        try await server.perform(.spoilHandshake(peer))
        client.receive { client.facts != nil }
        client.end.send(ByteBuffer(repeating: 120, count: 1 << 20))
        let bytes = client.end.takeCiphertext().map { Array($0.readableBytesView) } ?? []
        #expect(await server.recorder.next() == .handshake(peer, .paused))
        // Far more than the kernel's small buffers take.
        #expect(bytes.count > 1 << 20)
        let sent = client.socket.sendWithoutWaiting(bytes)
        #expect(sent < 1 << 19, "\(sent) bytes were read")
        client.socket.reset()
        #expect(try await server.becomesEmpty())
        try await server.stop()
    }
}
