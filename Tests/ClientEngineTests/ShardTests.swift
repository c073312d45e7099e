import ClientMachines
import HTTPBasics
import MachineContract
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import ClientEngine

/// Keeps what the user would be told.
private final class Listener: CallSink {
    let outputs = Mutex<[ClientOutput]>([])

    func take(_ output: ClientOutput) { outputs.withLock { $0.append(output) } }
}

@Suite struct ShardTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let listener = Listener()

    private func shard() -> Shard {
        Shard(settings: ClientSettings(), sink: listener, resolver: FixedResolver([:]), eventLoop: loop)
    }

    @Test func `calls to the user keep their order`() async throws {
        let shard = shard()
        let outputs: [ClientOutput] = [
            .tell(TaskID(1), .data(ByteBuffer(string: "a"))), .bug("none"), .tell(TaskID(1), .complete(nil)),
            .invalidated,
        ]
        try await loop.run { for output in outputs { shard.perform(output) } }
        #expect(listener.outputs.withLock { $0 } == outputs)
    }

    @Test func `a session that is invalidated while empty is told so once`() async throws {
        let shard = shard()
        shard.submit(.invalidate(cancelling: true))
        try await loop.run {}
        let told = listener.outputs.withLock { $0 }
        #expect(told.filter { $0 == .invalidated }.count <= 1)
        #expect(told.allSatisfy { $0 == .invalidated })
    }

    @Test func `a shard that has nothing to do does not keep itself`() async throws {
        weak var gone: Shard?
        do {
            let shard = shard()
            gone = shard
            shard.submit(.timePassed)
            try await loop.run {}
        }
        // The loop lets go of what it ran before it runs the next.
        try await loop.run {}
        #expect(gone == nil)
    }

    @Test func `both clocks run and randomness differs from step to step`() async throws {
        let shard = shard()
        let (first, second) = try await loop.run { (shard.moment(), shard.moment()) }
        #expect(first.instant <= second.instant)
        #expect(first.date.seconds > 1_700_000_000)
        #expect(first.entropy != second.entropy)
    }
}
