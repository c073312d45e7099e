import ClientMachines
import Foundation
import HTTPBasics
import MachineContract
import NIOCore
import Locks

@testable import SessionNetworking

/// A session whose engine and delegate queue are played by hand: one thread, every order as the test chooses it.
struct FakeWorld {
    let engine = FakeEngine()
    let queue = FakeQueue()
    let journal = Journal()

    func makeSession(
        delegate: (any URLSessionDelegate)? = nil, configuration: URLSessionConfiguration = .ephemeral,
        knownTypes: KnownTypes = KnownTypes(), onMetrics: (@Sendable (TaskID, TaskMetrics) -> Void)? = nil
    ) -> URLSession {
        var world = SessionWorld(
            makeEngine: { [engine] _, sink in
                engine.attach(sink)
                return engine
            }, makeExecutor: { [queue] _ in queue }, makeBodyExecutor: { [queue] in queue },
            deliveryWindow: 1_048_576, taskExecutor: queue, knownTypes: knownTypes)
        world.onMetrics = onMetrics
        return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil, world: world)
    }

    func spy(_ name: String) -> SpyDelegate { SpyDelegate(name, journal) }

    /// What the session's machine says, as if its loop had come to it; delegates are told when the queue runs.
    func tell(_ task: URLSessionTask, _ calls: UserCall...) {
        for call in calls { engine.say(.tell(TaskID(task.taskIdentifier), call)) }
    }

    func ask(_ task: URLSessionTask, _ question: Int, _ content: UserQuestion) {
        engine.say(.ask(TaskID(task.taskIdentifier), QuestionID(question), content))
    }
}

/// Keeps what it is given, and says what it is told to.
final class FakeEngine: Engine {
    private struct State {
        var inputs: [ClientInput] = []
        var isOwedWake = false
        var sink: (any CallSink<ClientOutput>)?
    }

    private let state = Lock(State())

    func attach(_ sink: any CallSink<ClientOutput>) { state.withLock { $0.sink = sink } }

    func enqueue(_ input: ClientInput) -> Bool {
        state.withLock { state in
            state.inputs.append(input)
            state.isOwedWake = true
            return true
        }
    }

    func wake() { state.withLock { $0.isOwedWake = false } }

    /// Whether inputs lie here without a wake.
    var isOwedWake: Bool { state.withLock { $0.isOwedWake } }

    func say(_ output: ClientOutput) {
        let sink = state.withLock { $0.sink }
        sink?.take(output)
        sink?.flush()
    }

    /// What came since the last look.
    func takeInputs() -> [ClientInput] {
        state.withLock { state in
            defer { state.inputs = [] }
            return state.inputs
        }
    }

    /// The plans among them, the only inputs that tests look into.
    func takePlans() -> [TaskPlan] {
        takeInputs().compactMap { if case .start(_, let plan, _) = $0 { plan } else { nil } }
    }

    /// In one word each.
    func takeWords() -> [String] {
        takeInputs().map { input in
            switch input {
            case .start(let id, _, let suspended): "start \(id.value)\(suspended ? " suspended" : "")"
            case .suspend(let id): "suspend \(id.value)"
            case .resume(let id): "resume \(id.value)"
            case .cancel(let id, let keep): "cancel \(id.value)\(keep ? " keeping" : "")"
            case .answer(let id, .redirect(let next)): "answer \(id.value) redirect \(next?.url.path ?? "no")"
            case .answer(let id, .challenge(let answer)): "answer \(id.value) challenge \(answer)"
            case .answer(let id, .response(let allow)): "answer \(id.value) \(allow ? "allow" : "deny")"
            case .answer(let id, .body(.stream(let stream)?)): "answer \(id.value) stream \(stream.value)"
            case .answer(let id, .body(nil)): "answer \(id.value) no stream"
            case .delivered(let id, let bytes): "delivered \(id.value) \(bytes)"
            case .invalidate(let cancelling): cancelling ? "invalidate, cancelling" : "invalidate"
            default: "?"
            }
        }
    }
}

/// A delegate queue, and the executor of asynchronous delegate methods, that runs when it is told to.
final class FakeQueue: CallExecutor, TaskExecutor {
    private let jobs = Lock<[@Sendable () -> Void]>([])

    func run(_ job: @escaping @Sendable () -> Void) { jobs.withLock { $0.append(job) } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        run { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// One job; false when there is none.
    @discardableResult func runOne() -> Bool {
        let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        job?()
        return job != nil
    }

    func runAll() { while runOne() {} }

    var count: Int { jobs.withLock { $0.count } }
}

/// What happened, in order.
final class Journal: Sendable {
    private let lines = Lock<[String]>([])

    func note(_ line: String) { lines.withLock { $0.append(line) } }

    /// What was noted since the last look.
    func take() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }
}

enum Sample {
    static let url = URL(string: "http://example.com/a") ?? URL(fileURLWithPath: "/")
    static let reference = URLReference(scheme: "http", host: "example.com", path: "/a")
    static let next = ClientRequest(url: URLReference(scheme: "http", host: "example.com", path: "/b"))
    static let ok = response(200, length: 3)
    static let redirect = UserQuestion.redirect(response(302), next: next)
    static let uploadToken = UploadToken(
        method: "PUT", url: reference, fields: Fields(), version: .five,
        location: URLReference(scheme: "http", host: "example.com", path: "/u/1"), length: 20, sent: 7, file: nil)
    static let token = ResumeToken(
        url: reference, fields: Fields(), offset: 7, validator: "\"v1\"",
        path: "/nowhere/understudy-download-1.tmp", total: 20)
    static let cancelled = Failure(.cancelled, .caller, "The task was cancelled.", url: reference)

    static let publicResponse = URLResponse(
        url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)

    static var challenge: UserQuestion {
        .challenge(
            Challenge(
                origin: Origin(scheme: "http", host: "example.com", port: 80), realm: "r", method: .basic,
                proposed: nil, previousFailures: 0, response: response(401)))
    }

    static func response(_ status: Int, length: Int64 = -1) -> Response {
        Response(head: ResponseHead(status: status), url: reference, expectedLength: DeclaredLength(length))
    }

    static func data(_ text: String) -> UserCall { .data(ByteBuffer(string: text)) }
}
