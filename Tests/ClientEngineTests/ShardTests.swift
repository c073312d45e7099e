import ClientMachines
import Glibc
import HTTPBasics
import Locks
import MachineContract
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import ClientEngine

/// Keeps what the user would be told, and lets a test wait for it.
private final class Listener: CallSink {
    private let stream: AsyncStream<ClientOutput>
    private let continuation: AsyncStream<ClientOutput>.Continuation

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: ClientOutput.self)
        self.stream = stream
        self.continuation = continuation
        MultiThreadedEventLoopGroup.singleton.next().scheduleTask(in: .seconds(20)) { continuation.finish() }
    }

    func take(_ output: ClientOutput) { continuation.yield(output) }
    var isFlushDue: Bool { false }
    func flush() {}

    func next() async -> ClientOutput? { await stream.first { _ in true } }

    func next(_ count: Int) async -> [ClientOutput] {
        var outputs: [ClientOutput] = []
        while outputs.count < count, let output = await next() { outputs.append(output) }
        return outputs
    }
}

/// A user who cancels as soon as a body begins, a moment later and from the loop, as a timer would.
private final class QuickCanceller: CallSink {
    private let loop: any EventLoop
    private let task: TaskID
    private let shard = Lock<Shard?>(nil)
    private let told = Lock(0)
    private let end: EventLoopPromise<Void>

    init(of task: TaskID, on loop: any EventLoop) {
        (self.task, self.loop) = (task, loop)
        end = loop.makePromise()
    }

    func begin(_ shard: Shard, _ plan: TaskPlan) {
        self.shard.withLock { $0 = shard }
        shard.submit(.start(task, plan, suspended: false))
    }

    func take(_ output: ClientOutput) {
        switch output {
        case .tell(_, .data(let bytes)):
            let isFirst = told.withLock { told in
                defer { told += bytes.readableBytes }
                return told == 0
            }
            guard isFirst, let shard = shard.withLock({ $0 }) else { return }
            loop.scheduleTask(in: .milliseconds(1)) { [task] in
                shard.submit(.cancel(task, keepingResumeData: false))
            }
        case .tell(_, .complete): end.succeed()
        default: break
        }
    }

    /// How many bytes of the body came before the end.
    func bytes() async throws -> Int {
        try await end.futureResult.get()
        shard.withLock { $0 = nil }
        return told.withLock { $0 }
    }

    var isFlushDue: Bool { false }
    func flush() {}
}

/// Counts what many bodies bring. When it is enough, a peer answers another task; how much more comes before that task
/// has heard of it?
private final class Onlooker: CallSink {
    private struct State {
        var told = 0
        var answer: (@Sendable () -> Void)?
    }

    private let state: Lock<State>
    private let enough: Int
    private let other: TaskID
    private let more: EventLoopPromise<Int>

    init(_ loop: any EventLoop, enough: Int, other: TaskID, answer: @escaping @Sendable () -> Void) {
        (self.enough, self.other) = (enough, other)
        state = Lock(State(answer: answer))
        more = loop.makePromise()
    }

    func take(_ output: ClientOutput) {
        switch output {
        case .tell(other, .complete): more.succeed(state.withLock { $0.told } - enough)
        case .tell(_, .data(let bytes)):
            let answer = state.withLock { state -> (@Sendable () -> Void)? in
                state.told += bytes.readableBytes
                guard state.told >= enough else { return nil }
                defer { state.answer = nil }
                return state.answer
            }
            answer?()
        default: break
        }
    }

    func cameMeanwhile() async throws -> Int { try await more.futureResult.get() }

    var isFlushDue: Bool { false }
    func flush() {}
}

@Suite(.endsInTime) struct ShardTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let listener = Listener()
    private let task = TaskID(1)

    private func shard(_ settings: ClientSettings = ClientSettings()) -> Shard {
        Shard(settings: settings, sink: listener, resolver: FixedResolver(["a.test": "127.0.0.1"]), eventLoop: loop)
    }

    private func plan(
        _ server: RawListener, _ kind: TaskPlan.Kind = .data, body: ByteBuffer? = nil,
        requestTimeout: Duration = .seconds(60)
    ) -> TaskPlan {
        let url = URLReference(scheme: "http", host: "a.test", port: server.port, path: "/a")
        let request = ClientRequest(method: body == nil ? "GET" : "POST", url: url, body: body)
        return TaskPlan(request: request, kind: kind, requestTimeout: requestTimeout)
    }

    private let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

    @Test func `a request goes out, its answer comes back, and the connection ends with the session`() async throws {
        let server = try RawListener(backlog: 4)
        let shard = shard()
        shard.submit(.start(task, plan(server), suspended: false))
        let peer = try server.accept()
        #expect(String(decoding: peer.receiveHead(), as: UTF8.self).hasPrefix("GET /a HTTP/1.1\r\n"))
        #expect(peer.send(answer) == 0)
        guard case .tell(task, .response(let response))? = await listener.next() else {
            Issue.record("no response")
            return
        }
        #expect(response.head.status == 200)
        #expect(await listener.next(2) == [.tell(task, .data(ByteBuffer(string: "hi"))), .tell(task, .complete(nil))])
        shard.submit(.invalidate(cancelling: false))
        #expect(await listener.next() == .invalidated)
        #expect(peer.end() == 0)
    }

    // BEHAVIOUR 1.H2-before
    @Test func `what was said before an answer came counts before it`() async throws {
        let server = try RawListener(backlog: 4)
        let shard = shard()
        shard.submit(.start(task, plan(server), suspended: false))
        let peer = try server.accept()
        _ = peer.receiveHead()
        #expect(shard.enqueue(.cancel(task, keepingResumeData: false)))
        #expect(peer.send(answer) == 0)
        guard case .tell(task, .complete(let failure))? = await listener.next() else {
            Issue.record("something else than the completion")
            return
        }
        #expect(failure?.kind == .cancelled)
        shard.submit(.invalidate(cancelling: true))
    }

    // BEHAVIOUR 2.F28-turn
    @Test func `a cancel during a bomb is heard within a few turns`() async throws {
        let server = try RawListener(backlog: 4)
        let canceller = QuickCanceller(of: task, on: loop)
        let resolver = FixedResolver(["a.test": "127.0.0.1"])
        var plan = plan(server)
        plan.collectsBody = true
        canceller.begin(Shard(settings: ClientSettings(), sink: canceller, resolver: resolver, eventLoop: loop), plan)
        let peer = try server.accept()
        _ = peer.receiveHead()
        #expect(peer.send(Self.bomb) == 0)
        let bytes = try await canceller.bytes()
        #expect(bytes > 0 && bytes <= 16 << 20, "of 200 MiB, in turns of 1 MiB")
    }

    // BEHAVIOUR 2.F28-turn
    @Test func `the loop looks at its sockets after each turn, whoever else has one to come`() async throws {
        let bombs = 40
        let server = try RawListener(backlog: 64), other = try RawListener(backlog: 4)
        // Safety: sent to once, by the loop, while the test waits.
        nonisolated(unsafe) var patient: RawSocket?
        let onlooker = Onlooker(loop, enough: 20 << 20, other: TaskID(0)) { [answer] in _ = patient?.send(answer) }
        let resolver = FixedResolver(["a.test": "127.0.0.1"])
        var settings = ClientSettings()
        settings.connectionsPerHost = bombs
        let shards = [0, 1].map { _ in
            Shard(settings: settings, sink: onlooker, resolver: resolver, eventLoop: loop)
        }
        shards[0].submit(.start(TaskID(0), plan(other), suspended: false))
        let peer = try other.accept()
        _ = peer.receiveHead()
        patient = peer
        var plan = plan(server)
        plan.collectsBody = true
        var peers: [RawSocket] = []
        for number in 1...bombs {
            shards[1].submit(.start(TaskID(number), plan, suspended: false))
            peers.append(try server.accept())
        }
        for peer in peers { _ = peer.receiveHead() }
        // Safety: the test waits while the loop uses them.
        nonisolated(unsafe) let senders = peers
        // All at once, so that each has had its first turn before there is enough.
        try await loop.run { for sender in senders { _ = sender.send(Self.bomb) } }
        let meanwhile = try await onlooker.cameMeanwhile()
        #expect(meanwhile >= 0, "all bombs together were enough")
        #expect(meanwhile <= 16 << 20, "one turn each would be 40 MiB and more")
        for shard in shards { shard.submit(.invalidate(cancelling: true)) }
    }

    /// The beginning of a stream in bare deflate: each further zero stands for 1032 of the body.
    private static let bomb: [UInt8] = {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: 1000000\r\n\r\n"
        let start: [UInt8] = [0xed, 0xc1, 0x01, 0x01, 0x00, 0x00, 0x00, 0x82, 0x20, 0xff, 0xaf, 0x6e, 0x48, 0x40, 0x01]
        return Array(head.utf8) + start + [UInt8](repeating: 0, count: 200_000)
    }()

    @Test func `a large body goes out as fast as the peer takes it`() async throws {
        let server = try RawListener(backlog: 4)
        let shard = shard()
        let body = ByteBuffer(repeating: 7, count: 8 << 20)
        shard.submit(.start(task, plan(server, body: body), suspended: false))
        let peer = try server.accept()
        _ = peer.receiveHead()
        #expect(peer.receive(8 << 20).count == 8 << 20)
        #expect(peer.send(answer) == 0)
        var sent: Int64 = 0
        while let output = await listener.next(), output != .tell(task, .complete(nil)) {
            if case .tell(_, .sentBody(_, let total, _)) = output { sent = total }
        }
        #expect(sent == 8 << 20)
        shard.submit(.invalidate(cancelling: true))
    }

    /// BEHAVIOUR 1.E1-young
    @Test(arguments: ["fin", "reset", "bytes"])
    func `what came before a POST costs it nothing, though the loop has not heard of it`(end: String) async throws {
        let server = try RawListener(backlog: 4)
        var settings = ClientSettings()
        settings.patience.unseen = .zero
        let shard = shard(settings)
        shard.submit(.start(task, plan(server), suspended: false))
        // Safety: the test waits while the loop uses it.
        nonisolated(unsafe) let peer = try server.accept()
        _ = peer.receiveHead()
        #expect(peer.send(answer) == 0)
        #expect(await listener.next(3).last == .tell(task, .complete(nil)))
        let second = plan(server, body: ByteBuffer(string: "abc"))
        let client = try #require(peer.otherEnd)
        try await loop.run {
            // Between two jobs of one turn the loop looks at no socket.
            switch end {
            case "fin": peer.close()
            case "reset": peer.reset()
            default: #expect(peer.send("HTTP/1.1 408 Request Timeout\r\n\r\n") == 0)
            }
            // The loopback interface may deliver it a moment later.
            #expect(RawSocket.hasNews(client, within: 10_000))
            shard.submit(.start(TaskID(2), second, suspended: false))
        }
        let fresh = try server.accept()
        #expect(String(decoding: fresh.receiveHead(), as: UTF8.self).hasPrefix("POST /a HTTP/1.1\r\n"))
        #expect(fresh.send(answer) == 0)
        #expect(await listener.next(4).last == .tell(TaskID(2), .complete(nil)))
        shard.submit(.invalidate(cancelling: true))
    }

    @Test func `silence ends a request when its time is up`() async throws {
        let server = try RawListener(backlog: 4)
        let shard = shard()
        let begun = LoopClock.now()
        shard.submit(.start(task, plan(server, requestTimeout: .milliseconds(500)), suspended: false))
        let peer = try server.accept()
        guard case .tell(task, .complete(let failure))? = await listener.next() else {
            Issue.record("no end")
            return
        }
        #expect(failure?.kind == .timedOut)
        #expect(LoopClock.now() - begun >= .milliseconds(500))
        _ = peer.receiveHead()
        #expect(peer.end() == 0)
        shard.submit(.invalidate(cancelling: true))
    }

    @Test func `a download is in its file when the user hears of it`() async throws {
        let server = try RawListener(backlog: 4)
        var template = Array("/tmp/shard-tests-XXXXXX".utf8CString)
        #expect(mkdtemp(&template) != nil)
        var settings = ClientSettings()
        settings.downloadDirectory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let shard = shard(settings)
        shard.submit(.start(task, plan(server, .download(resuming: nil)), suspended: false))
        let peer = try server.accept()
        _ = peer.receiveHead()
        #expect(peer.send(answer) == 0)
        var path: String?
        while let output = await listener.next(), output != .tell(task, .complete(nil)) {
            if case .tell(_, .file(let place)) = output { path = place }
        }
        let file = try #require(path)
        var status = stat()
        #expect(stat(file, &status) == 0)
        #expect(status.st_size == 2)
        _ = unlink(file)
        #expect(rmdir(settings.downloadDirectory) == 0)
        shard.submit(.invalidate(cancelling: true))
    }

    @Test func `calls to the user keep their order`() async throws {
        let shard = shard()
        let outputs: [ClientOutput] = [
            .tell(TaskID(1), .data(ByteBuffer(string: "a"))), .bug("none"), .tell(TaskID(1), .complete(nil)),
            .invalidated,
        ]
        try await loop.run { for output in outputs { shard.perform(output) } }
        #expect(await listener.next(outputs.count) == outputs)
    }

    @Test func `a session that is invalidated while empty is told so once`() async throws {
        let shard = shard()
        shard.submit(.invalidate(cancelling: true))
        shard.submit(.invalidate(cancelling: true))
        try await loop.run { shard.perform(.bug("the last")) }
        #expect(await listener.next(2) == [.invalidated, .bug("the last")])
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
