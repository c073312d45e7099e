import MachineContract

extension CaseDecoder {
    func gssapi(_ map: MappingReader) -> ScriptedGSSAPI {
        var users: [String: String] = [:]
        for entry in map.value("users")?.entries ?? [] { users[entry.key] = session.text(entry.value) }
        return ScriptedGSSAPI(
            ticket: map.text("ticket"), users: users, rounds: map.count("rounds", in: 1...8) ?? 1,
            delay: map.duration("takes") ?? .zero, refusals: map.texts("refuses"))
    }
}
