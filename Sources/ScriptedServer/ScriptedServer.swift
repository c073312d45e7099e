import Locks
import NIOCore
import NIOPosix
import ServerScript

/// A real HTTP/1.1 server that plays a script, for tests of anything that speaks HTTP.
///
/// ```swift
/// let server = try await ScriptedServer.start { $0.get("/a", reply: "hi") }
/// let (data, _) = try await session.data(from: URL(string: server.url + "/a")!)
/// let verdict = try await server.stop()
/// #expect(verdict.isFulfilled, "\(verdict)")
/// ```
///
/// Requests that the script expects come in its order and each exactly as often as it says; routes answer any number of
/// times; any other request is a violation. Replies may be late, cut, reset, stalled or no HTTP at
/// all. The server listens on the loopback interface unless told otherwise.
public final class ScriptedServer: Sendable {
    /// `http://` with address and port of the first host, without a slash at the end; of a server without a port, with
    /// the host's name.
    public let url: String
    /// The same for every host of the script.
    package let origins: [String: String]
    /// Where each host listens.
    package let addresses: [String: (ip: String, port: Int)]

    let script: Script
    let world: ServerWorld
    private let listeners: Listeners
    private let door: InProcessDoor
    let eventLoop: any EventLoop
    /// How many loads of scripts have begun.
    let loads = Lock(0)

    private init(
        script: Script, world: ServerWorld, listeners: Listeners, origins: [String: String], url: String,
        eventLoop: any EventLoop
    ) {
        self.script = script
        self.world = world
        self.listeners = listeners
        self.origins = origins
        self.url = url
        self.eventLoop = eventLoop
        door = InProcessDoor(world, script, eventLoop)
        addresses = listeners.addresses
    }

    deinit {
        door.close()
        listeners.close()
        eventLoop.execute { [world] in world.stop() }
    }

    // MARK: - Start

    /// Starts a server whose script `build` writes, in the caller's isolation.
    ///
    /// - Parameters:
    ///   - bind: The IP address to listen on, or a name that has one.
    ///   - port: The port of the first host; 0 lets the system choose.
    ///   - seed: Decides which faults with a probability happen; the same seed, the same faults.
    ///   - build: Adds steps and routes to an empty script.
    /// - Throws: `ScriptedServerError` if it cannot listen there, or if the script says what no server can do: a
    ///   status that is none, a method with spaces, a fault that could never strike, bodies of more than 1 GiB to
    ///   compress.
    nonisolated(nonsending) public static func start(
        bind: String = "127.0.0.1", port: Int = 0, seed: UInt64 = 0, _ build: (inout ScriptBuilder) -> Void
    ) async throws -> ScriptedServer {
        var builder = ScriptBuilder()
        build(&builder)
        try builder.check()
        return try await start(script: builder.script, bind: bind, port: port, seed: seed)
    }

    /// Starts a server without a port, for clients in the same process: sessions whose configuration reaches it, as the
    /// product `InProcessServer` says.
    ///
    /// Its URLs have the names of the script's hosts, `http://a.test` if it names none; nothing is listened to, and no
    /// name is looked up. Everything else is as over sockets, faults too; the metrics of a task show the host's name in
    /// the place of an address.
    ///
    /// - Parameters:
    ///   - seed: Decides which faults with a probability happen; the same seed, the same faults.
    ///   - build: Adds steps and routes to an empty script.
    /// - Throws: `ScriptedServerError` if the script says what no server can do, as above.
    nonisolated(nonsending) public static func startInProcess(
        seed: UInt64 = 0, _ build: (inout ScriptBuilder) -> Void
    ) async throws -> ScriptedServer {
        var builder = ScriptBuilder()
        build(&builder)
        try builder.check()
        return try await start(script: builder.script, isInProcess: true, seed: seed)
    }

    /// Starts a server that plays `script`. All its connections live on one event loop.
    ///
    /// - Parameters:
    ///   - isInProcess: Whether it has no listeners: then it is reached by `connect(to:)` alone.
    ///   - onOneAddress: Whether the hosts differ by their ports alone.
    ///   - originsByName: Whether `$origin.b.test` and `origins` use the hosts' names instead of IP addresses, for
    ///     clients whose resolver knows them.
    ///   - rounds: Whether a round can end while the server runs, and what follows then.
    ///   - hasScopes: Whether requests may name a scope, which has a state of the script and a verdict of its own.
    ///   - mounts: Further scripts of a shared server, each without hosts, TLS and proxies of its own.
    ///   - limits: What is bounded by numbers of the caller's choice.
    ///   - tracesWire: Whether `wire` will be asked for: the last 64 KiB of each direction of 256 connections are kept.
    ///   - improviser: Answers what no step and no route takes.
    ///   - onEvent: Called on the loop with every entry of the journal.
    ///   - onSignal: Called on the loop with every signal that the script gives, maybe before the bytes that the script
    ///     sends just before it are with the kernel.
    ///   - onRound: Called on the loop with the verdict on a round that is over, before the next one begins.
    ///   - onFull: Called on the loop with the limit of connections when one is closed because of it, once until there
    ///     is room again.
    package static func start(
        script: Script, isInProcess: Bool = false, bind: String = "127.0.0.1", onOneAddress: Bool = false,
        port: Int = 0, seed: UInt64 = 0, originsByName: Bool = false,
        rounds: ServerRounds = .endless, hasScopes: Bool = false, mounts: [ScriptMount] = [],
        limits: ServerLimits = ServerLimits(),
        tracesWire: Bool = false, improviser: (any Improviser)? = nil,
        eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next(),
        onEvent: @escaping @Sendable (ServerEvent) -> Void = { _ in },
        onSignal: @escaping @Sendable (String) -> Void = { _ in },
        onRound: (@Sendable (Verdict) -> Void)? = nil, onFull: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> ScriptedServer {
        guard let first = script.hosts.first, Set(script.hosts).count == script.hosts.count else {
            throw ScriptedServerError("a script needs at least one host, and each only once")
        }
        guard 0...65_535 ~= port else { throw ScriptedServerError("there is no port \(port)") }
        let ready = try await script.readyToServe()
        var mounts = mounts
        for index in mounts.indices {
            mounts[index].script = try await mounts[index].script.readyToServe(at: mounts[index].label)
        }
        let stage = Stage()
        let listeners =
            isInProcess
            ? Listeners.none
            : try await Listeners.bind(
                hosts: script.hosts, mounts: mounts, faults: script.listenFaults, ip: bind,
                onOneAddress: onOneAddress, port: port, eventLoop: eventLoop,
                onAccept: { channel, host in try stage.admit(channel, host: host) })
        let names = isInProcess ? script.hosts.map { ($0, "\(script.scheme(of: $0))://\($0)") } : []
        let origins = listeners.origins(of: script, byName: originsByName).merging(names) { first, _ in first }
        let url = listeners.origins(of: script, byName: false)[first] ?? origins[first] ?? ""
        let world = try await eventLoop.submit { [mounts] in
            let world = try ServerWorld(
                script: ready, origins: origins, seed: seed, rounds: rounds, hasScopes: hasScopes, mounts: mounts,
                limits: limits, tracesWire: tracesWire, improviser: improviser, eventLoop: eventLoop,
                onEvent: onEvent, onSignal: onSignal, onRound: onRound,
                onFull: onFull)
            stage.world = world
            return world
        }.get()
        listeners.open()
        return ScriptedServer(
            script: script, world: world, listeners: listeners, origins: origins, url: url, eventLoop: eventLoop)
    }

    /// Where accepted connections find the world, which can only be made when the listeners' ports are known.
    private final class Stage: @unchecked Sendable {  // Safety: touched on the event loop only.
        var world: ServerWorld?

        func admit(_ channel: any Channel, host: String) throws {
            guard let world else { throw ScriptedServerError("a connection came before the script") }
            let handler = PeerHandler(host: host, transport: world.transport, taker: world)
            try channel.pipeline.syncOperations.addHandler(handler)
        }
    }

    // MARK: - While it runs

    /// `http://` with address and port of a host of the script; nil if it has no such host. Of a server without a port,
    /// with the host's name.
    public func url(of host: String) -> String? { origins[host] }

    /// Of its script.
    package var hosts: [String] { script.hosts }

    /// One more connection of a client in this process to a host of the script; on any thread. Refused once the server
    /// has stopped.
    package func connect(to host: String) -> InProcessAnswer { door.connect(to: host) }

    /// Of the first host.
    package var port: Int { script.hosts.first.flatMap { addresses[$0]?.port } ?? 0 }

    /// Where a host is bound, while `url(of:)` leads to the loopback interface where that is every interface.
    package func boundURL(of host: String) -> String? {
        addresses[host].map {
            Listeners.url(url(of: host)?.hasPrefix("https") == true ? "https" : "http", $0.ip, $0.port)
        }
    }

    /// The requests that the server remembers, in the order in which they were read: all of them until its journal is
    /// full, with 32,000 requests or 64 MiB; then the newest.
    public var requests: [ReceivedRequest] { ReceivedRequest.list(from: journal) }

    /// How many requests there were so far, those among them that are not in `requests`.
    public var requestCount: Int { world.record.requestCount }

    /// Lets a reply that awaits this name go on.
    public func signal(_ name: String) {
        eventLoop.execute { [world] in world.take(.signal(name)) }
    }

    /// What has happened so far.
    package var journal: [ServerEvent] { world.record.snapshot.events }

    /// Gives up the round that is under way, if there is one.
    package func endRound() {
        eventLoop.execute { [world] in world.take(.endRound) }
    }

    /// Whether every step of the script has been consumed.
    package func isExhausted() async throws -> Bool { try await onLoop { $0.isExhausted } }

    /// The verdict as if the server stopped now.
    package func verdict() async throws -> Verdict { try await onLoop { $0.verdict() } }

    /// The bytes that went over the wire, connection by connection, as far as they are remembered (`tracesWire`).
    package func wire() async throws -> [PeerTrace] { try await onLoop { $0.transport.trace?.snapshot() ?? [] } }

    func onLoop<Result: Sendable>(_ body: @escaping @Sendable (ServerWorld) -> Result) async throws -> Result {
        try await eventLoop.submit { [world] in body(world) }.get()
    }

    /// The same for what takes longer.
    func afterLoop<Result: Sendable>(
        _ body: @escaping @Sendable (ServerWorld) -> EventLoopFuture<Result>
    ) async throws -> Result {
        try await eventLoop.flatSubmit { [world] in body(world) }.get()
    }

    // MARK: - Stop

    /// Ends every connection and gives the verdict. At once: no client is waited for.
    ///
    /// - Throws: Only if the server's event loop has been shut down before.
    @discardableResult public func stop() async throws -> Verdict {
        guard let main = try await end().first else { throw ScriptedServerError("there is no verdict") }
        return main.verdict
    }

    /// The verdicts on all scopes, that of requests which name none first; `isOpen` says whether something has happened
    /// on which no verdict was given before.
    package func end() async throws -> [(verdict: Verdict, isOpen: Bool)] {
        door.close()
        listeners.close()
        return try await onLoop { world in
            let result = world.verdicts()
            world.stop()
            return result
        }
    }
}
