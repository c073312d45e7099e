extension ScenarioPrinter {
    func names(_ names: [ScriptedName]) -> ShownValue? {
        names.isEmpty ? nil : .map(names.map { ($0.host, name($0)) })
    }

    private func name(_ name: ScriptedName) -> ShownValue {
        if name.isSystems { return .word(ScriptedName.systemWord) }
        let addresses = ShownValue.list(name.addresses.map(address))
        if name.v6 == name.v4 {
            if name.addresses.isEmpty, let word = word(name.v6) { return .word(word) }
            if name.v6 == .after(.zero) { return addresses }
        }
        return .fields([
            ("addresses", name.addresses.isEmpty ? nil : addresses), ("v6", answer(name.v6)), ("v4", answer(name.v4)),
        ])
    }

    private func address(_ address: ScriptedName.Address) -> ShownValue {
        if case .late(let span) = address.place { return .map([(address.family.rawValue, duration(span))]) }
        return .word(ScriptedName.placeWords.first { $0.address == address }?.word ?? "")
    }

    private func answer(_ answer: ScriptedName.Answer) -> ShownValue? {
        guard case .after(let span) = answer else { return word(answer).map { .word($0) } }
        return span == .zero ? nil : duration(span)
    }

    private func word(_ answer: ScriptedName.Answer) -> String? {
        ScriptedName.answerWords.first { $0.answer == answer }?.word
    }
}
