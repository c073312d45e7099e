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
        let socket: RawSocket
        let end: TLSConnection
        var sent = 0

        init(port: Int, ip: String) throws {
            socket = try RawSocket(port: port, ip: ip)
            socket.useSmallBuffers()
            let context = try TLSClientContext(
                library: .system, versions: .tls13 ... .tls13, applicationProtocols: ["http/1.1"])
            end = try TLSConnection(client: context, host: "a.test", resuming: nil)
            end.start()
        }

        /// False if the server does not agree.
        func secure() -> Bool {
            while true {
                while let event = end.nextEvent() {
                    if case .trustAsked = event { end.answerTrust(true, alert: .closeNotify) }
                    if case .failed = event { return false }
                    if case .secured = event { return sendAll() }
                }
                guard sendAll() else { return false }
                let header = socket.receive(5)
                guard header.count == 5 else { return false }
                end.receive(ByteBuffer(bytes: header + socket.receive(Int(header[3]) << 8 + Int(header[4]))))
            }
        }

        private func sendAll() -> Bool {
            guard let bytes = end.takeCiphertext() else { return true }
            return socket.send(Array(bytes.readableBytesView)) == 0
        }

        /// Until the kernels take no more for half a second, or `bound` bytes have gone.
        mutating func flood(upTo bound: Int) {
            var rest: [UInt8] = []
            var vainly = 0
            while sent < bound, vainly < 10 {
                if rest.isEmpty {
                    for _ in 0..<1_000 { end.updateKeys() }
                    rest = end.takeCiphertext().map { Array($0.readableBytesView) } ?? []
                }
                let taken = socket.sendWithoutWaiting(rest)
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
        var flooder = try Flooder(port: address.port, ip: address.ip)
        #expect(flooder.secure())
        // Far more than the kernel's small buffers take.
        let bound = 1 << 20
        flooder.flood(upTo: bound)
        #expect(flooder.sent < bound, "\(flooder.sent) bytes were read")
        flooder.socket.close()
        #expect(try await server.becomesEmpty())
        try await server.stop()
    }
}
