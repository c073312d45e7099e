import ClientMachines
import HTTPBasics

/// Counters that a user is told grow by what is reported, start where they should, and never pass what is expected.
package struct CounterChecker: Checker {
    package static let name: StaticString = "counter"

    private struct State {
        var sent: Int64 = 0
        var wrote: Int64 = 0
        /// Told in `wrote`; the same all through.
        var expected: DeclaredLength??
        /// The body may be sent from its beginning again: another request, or another connection.
        var mayResend = false
        /// Its totals go on from what the server has, be it more or less than what was handed over.
        var isResumable = false
        var told = 0
        var delivered = 0
        /// How many connections of the session had ended when bytes were last called sent.
        var endingsAtLastSend = 0
    }

    private var windows: [Int: DeliveryWindow] = [:]
    private var tasks = SessionTable<TaskKey, State>()
    /// Per session, how often a connection ended; a body may be replayed after it.
    private var endings: [Int: Int] = [:]

    package init() {}

    package mutating func began(session: Int, _ settings: ClientSettings) {
        windows[session] = DeliveryWindow(bytes: settings.deliveryWindow)
    }

    package mutating func note(_ input: ClientInput, _ session: Int, _ findings: inout Findings) {
        switch input {
        case .start(let task, let plan, _):
            tasks[TaskKey(session: session, task: task)] = State(isResumable: plan.resumable != nil)
        case .closed, .inputClosed: endings[session, default: 0] += 1
        case .delivered(let task, let bytes):
            noteDelivered(bytes, TaskKey(session: session, task: task), &findings)
        default: return
        }
    }

    package mutating func note(_ output: ClientOutput, _ session: Int, _ findings: inout Findings) {
        switch output {
        case .ask(let task, _, let question):
            if question.kind != .response { tasks[TaskKey(session: session, task: task)]?.mayResend = true }
        // The body goes with each token (BEHAVIOUR 2.A37-body).
        case .negotiate(let task, _): tasks[TaskKey(session: session, task: task)]?.mayResend = true
        case .tell(let task, let call): note(call, TaskKey(session: session, task: task), &findings)
        default: return
        }
    }

    private mutating func note(_ call: UserCall, _ key: TaskKey, _ findings: inout Findings) {
        switch call {
        case .requestChanged: tasks[key]?.mayResend = true
        case .letIn: break
        case .sentBody(let bytes, let total, let expected): noteSent(bytes, total, expected, key, &findings)
        case .resumed(let offset, _): tasks[key]?.wrote = offset
        case .wrote(let bytes, let total, let expected): noteWrote(bytes, total, expected, key, &findings)
        case .data(let bytes):
            let count = bytes.readableBytes
            tasks[key]?.told += windows[key.session]?.charge(for: count) ?? count
        case .waitingForConnectivity, .informational, .response, .becameDownload, .file, .metrics, .complete: return
        }
    }

    private mutating func noteSent(
        _ bytes: Int64, _ total: Int64, _ expected: DeclaredLength?, _ key: TaskKey, _ findings: inout Findings
    ) {
        guard let state = tasks[key] else { return }
        let connectionEnded = endings[key.session, default: 0] > state.endingsAtLastSend
        let isReplay = total == bytes && (state.mayResend || connectionEnded)
        if bytes <= 0 || total != state.sent + bytes && !isReplay && !state.isResumable {
            findings.add("sent \(bytes) more bytes, total \(total), after a total of \(state.sent)", key)
        }
        if let expected, let told = DeclaredLength(total), told > expected {
            findings.add("sent \(total) bytes of a body of \(expected)", key)
        }
        tasks[key]?.sent = total
        // What the former attempt still sends after a question takes nothing away from the next one.
        if isReplay { tasks[key]?.mayResend = false }
        tasks[key]?.endingsAtLastSend = endings[key.session, default: 0]
    }

    private mutating func noteWrote(
        _ bytes: Int64, _ total: Int64, _ expected: DeclaredLength?, _ key: TaskKey, _ findings: inout Findings
    ) {
        guard let state = tasks[key] else { return }
        if bytes <= 0 || total != state.wrote + bytes {
            findings.add("wrote \(bytes) more bytes, total \(total), after a total of \(state.wrote)", key)
        }
        if let expected, let told = DeclaredLength(total), told > expected {
            findings.add("wrote \(total) bytes of \(expected) expected", key)
        }
        if let known = state.expected, known != expected {
            findings.add("\(Self.text(known)) bytes were expected, and now \(Self.text(expected))", key)
        }
        tasks[key]?.wrote = total
        tasks[key]?.expected = expected
    }

    private static func text(_ length: DeclaredLength?) -> String { length?.description ?? "an unknown number of" }

    private mutating func noteDelivered(_ bytes: Int, _ key: TaskKey, _ findings: inout Findings) {
        guard let state = tasks[key] else { return }
        tasks[key]?.delivered += bytes
        if bytes < 0 || state.delivered + bytes > state.told {
            findings.add("\(state.delivered + bytes) bytes are called delivered, of \(state.told) that were told", key)
        }
    }
}
