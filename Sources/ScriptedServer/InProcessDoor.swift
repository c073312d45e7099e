import Glibc
import Locks
import NIOCore
import NIOPosix
import ServerScript

/// What became of a client in the same process that wanted a connection.
package enum InProcessAnswer: Sendable {
    /// The client's end of a stream; `ended` is to be called when it is closed.
    case connected(descriptor: CInt, ended: @Sendable () -> Void)
    /// In the system's numbers.
    case failed(errorNumber: CInt)
    /// Nobody will ever answer.
    case silent
}

/// Where clients in the same process come in, without a port: each connection is a pair of sockets that have no names.
final class InProcessDoor: Sendable {
    /// Nil once the server has ended.
    private let world: Lock<ServerWorld?>
    private let script: Script
    private let eventLoop: any EventLoop

    init(_ world: ServerWorld, _ script: Script, _ eventLoop: any EventLoop) {
        self.world = Lock(world)
        self.script = script
        self.eventLoop = eventLoop
    }

    func close() { world.withLock { $0 = nil } }

    /// - Parameter host: Of the script.
    func connect(to host: String) -> InProcessAnswer {
        guard let world = world.withLock({ $0 }), script.hosts.contains(host) else {
            return .failed(errorNumber: ECONNREFUSED)
        }
        if let fault = script.listenFaults[host] {
            return fault.effect == .reset ? .failed(errorNumber: ECONNREFUSED) : .silent
        }
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return .failed(errorNumber: errno) }
        let (theirs, ours) = (ends[0], ends[1])
        guard let client = ClientEnd(of: theirs) else {
            let number = errno
            for end in ends { _ = Glibc.close(end) }
            return .failed(errorNumber: number)
        }
        let server = ServerEnd(ours)
        // A loop that has ended drops what it is given, and with that the server's end: the client sees its end.
        eventLoop.execute { [self] in
            if let descriptor = server.take() { admit(descriptor, from: client, to: host, world) }
        }
        return .connected(descriptor: theirs) { client.letGo() }
    }

    /// The server's end of a connection, until its channel has it.
    private final class ServerEnd: Sendable {
        private let descriptor: Lock<CInt?>

        init(_ descriptor: CInt) { self.descriptor = Lock(descriptor) }

        deinit { if let descriptor = take() { _ = Glibc.close(descriptor) } }

        func take() -> CInt? {
            descriptor.withLock { descriptor in
                defer { descriptor = nil }
                return descriptor
            }
        }
    }

    /// As `Listeners` does what it accepts.
    private func admit(_ descriptor: CInt, from client: ClientEnd, to host: String, _ world: ServerWorld) {
        ClientBootstrap(group: eventLoop)
            .channelOption(.writeBufferWaterMark, value: Listeners.waterMark)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = PeerHandler(host: host, transport: world.transport, taker: world, client: client)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .withConnectedSocket(descriptor)
            // The client sees the end of its connection.
            .whenFailure { _ in client.letGo() }
    }
}

/// The client's end of a connection in the process once more, until the client has closed its own.
///
/// A socket without a network has no RST. But one that is closed with unread input makes the other end's next call fail
/// with ECONNRESET, as RST does (unix(7)): so a byte of ours goes in just before.
final class ClientEnd: Sendable {
    private let descriptor: Lock<CInt>

    /// Nil when there is no descriptor left.
    init?(of descriptor: CInt) {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        self.descriptor = Lock(copy)
    }

    deinit { letGo() }

    /// Without it the server would never see the end of what the client sends.
    func letGo() {
        descriptor.withLock { descriptor in
            if descriptor >= 0 { _ = Glibc.close(descriptor) }
            descriptor = -1
        }
    }

    /// Sees to it that the server's end has unread input. To be called on its loop, which then closes it at once.
    func sendUnread() {
        descriptor.withLock { descriptor in
            guard descriptor >= 0 else { return }
            var byte: UInt8 = 0
            // Fails when the client has closed, or when there is no room because of unread input.
            _ = send(descriptor, &byte, 1, CInt(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
    }
}
