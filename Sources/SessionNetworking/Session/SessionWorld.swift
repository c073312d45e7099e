#if !canImport(Darwin)
import ClientEngine
import ClientMachines
import Foundation
import HTTPBasics
import MachineContract

/// What a session runs in: sockets, or the simulator. Swapped here and nowhere else.
package struct SessionWorld: Sendable {
    package typealias MakeEngine = @Sendable (ClientSettings, any CallSink<ClientOutput>) -> any Engine<ClientInput>

    package var makeEngine: MakeEngine
    /// Makes the executor for a delegate queue; nil stands for the session's own serial queue.
    package var makeExecutor: @Sendable (OperationQueue) -> any CallExecutor
    /// Makes the executor on which one body stream is read; its jobs may block.
    package var makeBodyExecutor: @Sendable () -> any CallExecutor
    /// Reads the clocks, for what runs beside the engine.
    package var moment: @Sendable () -> Moment
    /// Runs a job so much later, on any thread.
    package var later: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    /// Where downloads grow; nil is the process's temporary directory.
    package var downloadDirectory: String?
    /// How many bytes of a body may wait for their reader; nil is the library's own bound.
    package var deliveryWindow: Int?
    /// Where asynchronous delegate methods run; nil is Swift's own executor.
    package var taskExecutor: (any TaskExecutor)?
    /// What instants mean to people.
    package var clock: WorldClock
    /// Whoever looks on from outside is told how each task's transfers went, on the engine's thread; the task's user
    /// notices nothing of it.
    package var onMetrics: (@Sendable (TaskID, TaskMetrics) -> Void)?

    package init(
        makeEngine: @escaping MakeEngine, makeExecutor: @escaping @Sendable (OperationQueue) -> any CallExecutor,
        makeBodyExecutor: @escaping @Sendable () -> any CallExecutor = { SerialExecutor() },
        moment: @escaping @Sendable () -> Moment = { SystemTime.moment() },
        later: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void = {
            SystemTime.run(after: $0, $1)
        },
        downloadDirectory: String? = nil, deliveryWindow: Int? = nil, taskExecutor: (any TaskExecutor)? = nil,
        clock: WorldClock = .system
    ) {
        self.makeEngine = makeEngine
        self.makeExecutor = makeExecutor
        self.makeBodyExecutor = makeBodyExecutor
        self.moment = moment
        self.later = later
        self.downloadDirectory = downloadDirectory
        self.deliveryWindow = deliveryWindow
        self.taskExecutor = taskExecutor
        self.clock = clock
    }

    /// Real sockets on the process's shared event loops.
    package static func sockets(resolver: any Resolver = SystemResolver.shared) -> SessionWorld {
        SessionWorld(
            makeEngine: { settings, sink in Shard(settings: settings, sink: sink, resolver: resolver) },
            makeExecutor: { QueueExecutor($0) })
    }
}

/// Real time.
package enum SystemTime {
    package static func moment() -> Moment {
        Moment(
            instant: Instant(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds)),
            date: UnixTime(seconds: Int64(Date().timeIntervalSince1970)), entropy: .random(in: .min ... .max))
    }

    package static func run(after span: Duration, _ job: @escaping @Sendable () -> Void) {
        // Not earlier: a machine that is asked too soon waits once more.
        let delay = DispatchTimeInterval.nanoseconds(Int(clamping: span.nanoseconds))
        DispatchQueue.global().asyncAfter(deadline: .now() + delay, execute: job)
    }
}
#endif
