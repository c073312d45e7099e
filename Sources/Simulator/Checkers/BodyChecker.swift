import ClientMachines
import HTTPBasics
import NIOCore

/// What a user or a file receives are the bytes that the server sent in that exchange: a prefix at any time, all of
/// them on success.
///
/// The exchange of a task is the one on the connection whose input made the machine speak of an answer, or look at its
/// files before it does; of several that are under way there, the one of its target. Answers with a content coding, and
/// bytes that are not beyond doubt, are not compared.
package struct BodyChecker: Checker {
    package static let name: StaticString = "body"

    private struct Task {
        var body: ExchangeBody?
        var received = 0
        var isComplete = false
        /// What a suspended task hears of late cannot be placed for sure.
        var wasSuspended = false
        /// It goes on with what a former download left.
        var continues = false
        /// What answers in place of a server, if something does.
        var load: LoadID?
        /// What the machine was being told about when it asked for a file or a token: what it says when it has it is
        /// about that.
        var asking: [ExchangeBody] = []
        /// What it asked for at first.
        var target = ""
    }

    private var tasks = SessionTable<TaskKey, Task>()
    private var numbers = SessionTable<ConnectionKey, Int>()
    /// The exchanges that are under way, or were last, on each connection of the network.
    private var current: [Int: [ExchangeBody]] = [:]
    /// Connections whose answers cannot be told apart any more.
    private var unsure: Set<Int> = []
    /// Per session: the exchanges that the machine may be told about in this turn.
    private var speaking: [Int: [ExchangeBody]] = [:]
    private let exchangesAtATime: Int

    package init(exchangesAtATime: Int = 1) { self.exchangesAtATime = exchangesAtATime }

    package mutating func opened(connection: Int, as client: ConnectionKey) { numbers[client] = connection }

    package mutating func note(_ input: ClientInput, _ session: Int, _ findings: inout Findings) {
        speaking[session] = input.connection
            .flatMap { numbers[ConnectionKey(session: session, id: $0)] }.flatMap { current[$0] }
        switch input {
        case .start(let task, let plan, let suspended):
            var entry = Task(wasSuspended: suspended)
            if case .download(.some) = plan.kind { entry.continues = true }
            entry.target = plan.request.url.path
            tasks[TaskKey(session: session, task: task)] = entry
        case .suspend(let task): tasks[TaskKey(session: session, task: task)]?.wasSuspended = true
        case .loaded(let task, let load, let event):
            note(event, of: load, TaskKey(session: session, task: task))
        case .bodyFileOpened(let task, _), .negotiated(let task, _, _):
            speaking[session] = tasks[TaskKey(session: session, task: task)]?.asking
        case .closed(let id):
            if let number = numbers.remove(ConnectionKey(session: session, id: id)) {
                current[number] = nil
            }
        default: return
        }
    }

    package mutating func note(_ event: WireEvent, _ connection: Int, _ findings: inout Findings) {
        switch event {
        case .requestBegan(let exchange, _, let target):
            let body = ExchangeBody(exchange: exchange, target: target)
            current[connection] = (current[connection] ?? []).suffix(exchangesAtATime - 1) + [body]
            if unsure.contains(connection) { body.giveUp() }
        case .responseBegan(let exchange, let status, let isCoded):
            body(connection, exchange)?.begin(status: status, isCoded: isCoded)
        case .responseBody(let exchange, let bytes): body(connection, exchange)?.append(bytes)
        case .responseEnded(let exchange): body(connection, exchange)?.end()
        case .unsure:
            unsure.insert(connection)
            for body in current[connection] ?? [] { body.giveUp() }
        case .requestEnded: return
        }
    }

    private func body(_ connection: Int, _ exchange: Int) -> ExchangeBody? {
        current[connection]?.first { $0.exchange == exchange }
    }

    /// A loader's answer is an exchange without a wire.
    private mutating func note(_ event: LoadEvent, of load: LoadID, _ key: TaskKey) {
        guard tasks[key]?.load == load else { return }
        switch event {
        case .response(let response), .keepable(let response, _), .redirected(let response, _):
            let body = ExchangeBody(exchange: 0)
            body.begin(status: response.head.status, isCoded: false)
            if case .redirected = event { body.end() }
            tasks[key]?.body = body
            tasks[key]?.received = 0
        case .whole(let response, let bytes):
            note(.response(response), of: load, key)
            tasks[key]?.body?.append(bytes)
            tasks[key]?.body?.end()
        case .data(let bytes): tasks[key]?.body?.append(bytes)
        case .end: tasks[key]?.body?.end()
        case .declined, .challenged, .failed: return
        }
    }

    package mutating func note(_ output: ClientOutput, _ session: Int, _ findings: inout Findings) {
        switch output {
        case .load(let task, let load, .begin), .load(let task, let load, .beginKept):
            tasks[TaskKey(session: session, task: task)]?.load = load
        case .load(let task, _, .end): tasks[TaskKey(session: session, task: task)]?.load = nil
        case .ask(let task, _, _): bind(TaskKey(session: session, task: task), &findings)
        case .tell(let task, .response(let response)):
            let key = TaskKey(session: session, task: task)
            bind(key, &findings)
            checkStatus(response, key, &findings)
        case .openBodyFile(let task, _): tasks[TaskKey(session: session, task: task)]?.asking = speaking[session] ?? []
        case .negotiate(let task, _):
            if let speaking = speaking[session] { tasks[TaskKey(session: session, task: task)]?.asking = speaking }
        case .file(let task, .open): bind(TaskKey(session: session, task: task), &findings)
        case .tell(let task, .data(let bytes)), .file(let task, .write(let bytes)):
            receive(bytes, TaskKey(session: session, task: task), &findings)
        case .tell(let task, .complete(let failure)):
            let key = TaskKey(session: session, task: task)
            if failure == nil { checkWhole(key, &findings) }
            if tasks[key] != nil { tasks[key] = Task(isComplete: true) }
        default: return
        }
    }

    /// The task now speaks of the exchange that the machine is being told about. Within the answer to a question
    /// or in a turn of the clock it goes on with the one it spoke of before.
    private mutating func bind(_ key: TaskKey, _ findings: inout Findings) {
        guard tasks[key]?.isComplete == false, let body = exchange(of: key), body !== tasks[key]?.body else { return }
        if let owner = body.owner, owner != key {
            findings.add("the answer of exchange \(body.exchange) went to task \(owner.task.value) already", key)
        }
        body.owner = key
        tasks[key]?.body = body
        tasks[key]?.received = 0
    }

    private func exchange(of key: TaskKey) -> ExchangeBody? {
        guard exchangesAtATime > 1, let task = tasks[key] else { return speaking[key.session]?.first }
        // What was told to one task may uncover what came for the next.
        let exchanges = speaking[key.session] ?? current.values.flatMap { $0 }
        return exchanges.first { $0 === task.body } ?? exchanges.first { $0.owner == nil && $0.target == task.target }
    }

    private func checkStatus(_ response: Response, _ key: TaskKey, _ findings: inout Findings) {
        guard let body = tasks[key]?.body, body.isComparable, body.status != response.head.status else { return }
        let sent = body.status.map { "\($0)" } ?? "no final answer yet"
        findings.add("a response \(response.head.status) was told, the server sent \(sent)", key)
    }

    private mutating func receive(_ bytes: ByteBuffer, _ key: TaskKey, _ findings: inout Findings) {
        guard let task = tasks[key], !task.isComplete else { return }
        tasks[key]?.received += bytes.readableBytes
        guard let body = task.body else { return reportUnexplained(task, key, &findings) }
        guard body.isComparable else { return }
        guard let offset = body.mismatch(with: bytes) else { return }
        body.giveUp()
        findings.add("body bytes differ from what the server sent, first at offset \(offset) of \(body.sent)", key)
    }

    private func checkWhole(_ key: TaskKey, _ findings: inout Findings) {
        guard let task = tasks[key] else { return }
        guard let body = task.body else { return reportUnexplained(task, key, &findings) }
        guard body.isComparable else { return }
        // That there is nothing left to fetch: the body of this answer is no part of the file (BEHAVIOUR 1.F4).
        if task.continues, body.status == 416, task.received == 0 { return }
        if !body.isComplete {
            findings.add("success, but the server's answer is not whole: \(body.sent) body bytes so far", key)
        } else if task.received != body.sent {
            findings.add("success with \(task.received) of \(body.sent) body bytes", key)
        }
    }

    private func reportUnexplained(_ task: Task, _ key: TaskKey, _ findings: inout Findings) {
        if !task.wasSuspended { findings.add("an answer that no server sent", key) }
    }
}
