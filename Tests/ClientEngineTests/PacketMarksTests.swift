import ClientMachines
import Glibc
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import ClientEngine

@Suite(.endsInTime) struct PacketMarksTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let recorder = InputRecorder()
    private let id = ConnectionID(1)

    /// What becomes of a connection to a listener of this kind.
    private func connect(
        to host: String = "127.0.0.1", codePoint: UInt8 = 0, usesMultipath: Bool = false, isPeerMultipath: Bool = false,
        _ check: (_ local: NetworkAddress, _ isMultipath: Bool) throws -> Void
    ) async throws {
        let listener = try await ServerBootstrap(group: loop).enableMPTCP(isPeerMultipath).bind(host: host, port: 0)
            .get()
        let transport = SocketTransport(
            eventLoop: loop, resolver: SystemResolver.shared, grace: .milliseconds(5), usesMultipath: usesMultipath)
        let address = NetworkAddress(text: host, port: listener.localAddress?.port ?? 0)
        try await loop.run { [recorder, id] in
            transport.connect(id, to: address, codePoint: codePoint, for: recorder)
        }
        let input = await recorder.next()
        if case .connected(id, let local?, let isMultipath) = input {
            try check(local, isMultipath)
        } else {
            Issue.record("no connection: \(String(describing: input))")
        }
        try await loop.run { [recorder, id] in transport.close(id, for: recorder) }
        try await listener.close().get()
    }

    /// The socket of this process whose own end this is.
    private func descriptor(of local: NetworkAddress) -> CInt? {
        (0..<1024).first { descriptor in
            var address = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let port: UInt16? = withUnsafeMutableBytes(of: &address) { bytes in
                guard let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                    getsockname(descriptor, start, &length) == 0
                else { return nil }
                // At the same place for both families.
                return UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
            }
            return port.map(Int.init) == local.port && hasPeer(descriptor)
        }
    }

    private func hasPeer(_ descriptor: CInt) -> Bool {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &address) { bytes in
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            return getpeername(descriptor, start, &length) == 0
        }
    }

    private func octet(of local: NetworkAddress, _ level: Int, _ name: CInt) -> CInt? {
        var octet: CInt = -1
        var length = socklen_t(MemoryLayout<CInt>.size)
        guard let descriptor = descriptor(of: local),
            getsockopt(descriptor, CInt(level), name, &octet, &length) == 0
        else { return nil }
        return octet
    }

    // BEHAVIOUR 1.A2-mark
    @Test(arguments: [0, 1, 46, 63] as [UInt8]) func `the socket has the mark, above the bits of the kernel`(
        codePoint: UInt8
    ) async throws {
        try await connect(codePoint: codePoint) { local, _ in
            #expect(octet(of: local, Int(IPPROTO_IP), IP_TOS) == CInt(codePoint) << 2)
        }
    }

    // BEHAVIOUR 1.A2-mark
    @Test func `a socket of IPv6 has it, too`() async throws {
        try await connect(to: "::1", codePoint: 40) { local, _ in
            #expect(octet(of: local, Int(IPPROTO_IPV6), IPV6_TCLASS) == 40 << 2)
        }
    }

    @Test func `six bits are taken, and none is no mark`() throws {
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
        #expect(PacketMarks(0, of: address) == nil)
        #expect(PacketMarks(255, of: address) != nil)
        #expect(PacketMarks(46, of: try SocketAddress(unixDomainSocketPath: "/nowhere")) == nil)
    }

    // BEHAVIOUR 1.A2-multipath
    @Test(.enabled(if: MultipathTCP.isInSystem), arguments: [true, false])
    func `a peer without multipath TCP is spoken to by TCP`(isPeerMultipath: Bool) async throws {
        try await connect(codePoint: 46, usesMultipath: true, isPeerMultipath: isPeerMultipath) { local, isMultipath in
            #expect(isMultipath == isPeerMultipath)
            #expect(octet(of: local, Int(IPPROTO_IP), IP_TOS) == 46 << 2)
        }
    }
}
