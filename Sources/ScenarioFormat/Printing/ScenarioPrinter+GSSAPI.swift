import MachineContract

extension ScenarioPrinter {
    func gssapi(_ script: ScriptedGSSAPI) -> ShownValue {
        let users = script.users.sorted { $0.key < $1.key }.map { name, password in
            (name, isForPlaying ? ShownValue.text(password) : ScenarioPrinter.hidden)
        }
        return .fields([
            ("ticket", script.ticket.map { .text($0) }),
            ("users", users.isEmpty ? nil : .map(users)),
            ("rounds", script.rounds == 1 ? nil : number(script.rounds)),
            ("takes", script.delay == .zero ? nil : duration(script.delay)), ("refuses", texts(script.refusals)),
        ])
    }
}
