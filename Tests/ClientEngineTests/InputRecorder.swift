import ClientMachines
import NIOCore
import NIOPosix

@testable import ClientEngine

/// Stands in for the shard: hands everything it is told to the test, in order, and gives up after a while.
final class InputRecorder: InputTaker {
    private let stream: AsyncStream<ClientInput>
    private let continuation: AsyncStream<ClientInput>.Continuation

    private let due: Int

    /// After a while `next` brings nothing but nil, so that a test fails instead of hanging.
    init(due: Int = 0) {
        self.due = due
        let (stream, continuation) = AsyncStream.makeStream(of: ClientInput.self)
        self.stream = stream
        self.continuation = continuation
        MultiThreadedEventLoopGroup.singleton.next().scheduleTask(in: .seconds(20)) { continuation.finish() }
    }

    func take(_ input: ClientInput) { continuation.yield(input) }

    func bytesDue(on id: ConnectionID) -> Int { due }

    func next() async -> ClientInput? { await stream.first { _ in true } }

    /// All bytes that arrive until something else than bytes does, and that.
    func bytes(of id: ConnectionID) async -> (bytes: [UInt8], end: ClientInput?) {
        var bytes: [UInt8] = []
        while let input = await next() {
            guard case .received(id, let buffer) = input else { return (bytes, input) }
            bytes += buffer.readableBytesView
        }
        return (bytes, nil)
    }
}

extension ClientInput {
    /// Whether this connection is open, wherever its own end is.
    func isConnected(_ id: ConnectionID) -> Bool {
        if case .connected(id, _, _) = self { true } else { false }
    }
}

extension EventLoop {
    /// Runs a body on the loop and waits for it.
    func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await submit(body).get()
    }
}
