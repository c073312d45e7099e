#if !canImport(Darwin)
import ClientEngine
import ClientMachines
import ClientTLS
import Foundation
import HTTPBasics
import MachineContract
import TLSEngine

/// What a session runs in: sockets, or the simulator. Swapped here and nowhere else.
package struct SessionWorld: Sendable {
    package typealias MakeEngine = @Sendable (ClientSettings, any CallSink<ClientOutput>) -> any Engine<ClientInput>

    package var makeEngine: MakeEngine
    /// Makes the executor for a delegate queue; nil stands for the session's own serial queue.
    package var makeExecutor: @Sendable (OperationQueue) -> any CallExecutor
    /// Makes the executor on which one body stream is read; its jobs may block.
    package var makeBodyExecutor: @Sendable () -> any CallExecutor
    /// The clocks and the randomness of its machines, for what runs beside the engine.
    package var clock: WorldClock
    package typealias Later = @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    /// Runs a job of ours, which waits for nothing, so much later on any thread.
    package var later: Later
    /// Where downloads grow; nil is the process's temporary directory.
    package var downloadDirectory: String?
    /// How many bytes of a body may wait for their reader; nil is the library's own bound.
    package var deliveryWindow: Int?
    /// Where asynchronous delegate methods run; nil is Swift's own executor.
    package var taskExecutor: (any TaskExecutor)?
    /// What is known of the types of delegates.
    package var knownTypes: KnownTypes
    /// Variables of the process's environment.
    package var environment: @Sendable (String) -> String? = { getenv($0).map { String(cString: $0) } }
    /// What is undone of bodies besides gzip and deflate.
    package var codings = KnownCodings()
    /// Whom a delegate's own evaluation of a server trusts.
    package var trustStore = TrustStore.system
    /// Which domains belong to no one alone, for storages of cookies in memory.
    package var publicSuffixes: any PublicSuffixes = PublicSuffixLibrary.system
    /// An observer is told how each task's transfers went, on the engine's thread or where the user is
    /// told; the task's user notices nothing of it.
    package var onMetrics: (@Sendable (TaskID, TaskMetrics) -> Void)?

    package init(
        makeEngine: @escaping MakeEngine, makeExecutor: @escaping @Sendable (OperationQueue) -> any CallExecutor,
        makeBodyExecutor: @escaping @Sendable () -> any CallExecutor = { SerialExecutor() },
        clock: WorldClock = .system,
        later: @escaping Later = SessionWorld.run,
        downloadDirectory: String? = nil, deliveryWindow: Int? = nil, taskExecutor: (any TaskExecutor)? = nil,
        knownTypes: KnownTypes = .shared
    ) {
        self.makeEngine = makeEngine
        self.makeExecutor = makeExecutor
        self.makeBodyExecutor = makeBodyExecutor
        self.clock = clock
        self.later = later
        self.downloadDirectory = downloadDirectory
        self.deliveryWindow = deliveryWindow
        self.taskExecutor = taskExecutor
        self.knownTypes = knownTypes
    }

    /// Any job, on any thread. Not earlier: a machine that is asked too soon waits once more.
    package static func run(after span: Duration, _ job: @escaping @Sendable () -> Void) {
        let delay = DispatchTimeInterval.nanoseconds(Int(clamping: span.nanoseconds))
        DispatchQueue.global().asyncAfter(deadline: .now() + delay, execute: job)
    }

    /// Real sockets on the process's shared event loops.
    package static func sockets(
        resolver: any Resolver = SystemResolver.shared, tls: SessionTLS.Surroundings = .system,
        connector: (any Connector)? = nil, paths: (any NetworkPaths)? = SystemNetworkPaths.shared
    ) -> SessionWorld {
        var world = SessionWorld(
            makeEngine: { settings, sink in
                Shard(
                    settings: settings, sink: sink, resolver: resolver, tls: tls, connector: connector, paths: paths)
            },
            makeExecutor: { QueueExecutor($0) })
        world.later = LoopClock.run
        world.trustStore = tls.store
        world.codings = .ofThisMachine
        return world
    }
}
#endif
