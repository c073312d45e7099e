import ClientMachines
import MachineContract

/// The GSSAPI of one session's system, as its scenario makes it up.
final class SimulatedGSSAPI {
    /// How long a call takes.
    let delay: Duration
    private let script: ScriptedGSSAPI?
    private var contexts: [NegotiationContextID: ScriptedGSSAPI.Context] = [:]

    init(_ script: ScriptedGSSAPI?) {
        self.script = script
        delay = max(script?.delay ?? .zero, .microseconds(50))
    }

    func perform(_ call: NegotiateCall, of task: TaskID) -> ClientInput {
        .negotiated(task, number: call.number, answer(to: call.step, call.context(of: task)))
    }

    private func answer(to step: NegotiateCall.Wish, _ context: NegotiationContextID) -> NegotiateAnswer {
        guard let script else { return .absent }
        var received: [UInt8]?
        switch step {
        case .begin(let host, let credential):
            contexts[context] = ScriptedGSSAPI.Context(
                script, host: host, login: credential.map { ($0.user, $0.password) })
        case .goOn(let token): received = token
        }
        guard let word = contexts[context]?.next(received) else { return .refused }
        return NegotiateAnswer(word)
    }

    func forget(_ task: TaskID) {
        guard !contexts.isEmpty else { return }
        for id in NegotiationContextID.all(of: task) { contexts[id] = nil }
    }
}
