import HTTPBasics

/// What the user of a server that is shared wants, apart from what its clients do.
extension ScriptMachine {
    func carryOut(_ order: ScriptOrder, in name: String?) {
        var prepared: PreparedScript?
        if case .replace(let script) = order {
            // What was kept for other scripts may never be asked for again.
            contents.forget()
            prepared = prepare(script)
        }
        if let name {
            guard let scope = name.isEmpty ? main : openScope(name) else { return }
            scope.lastUse = moment.instant
            return carryOut(order, prepared, scope)
        }
        if let prepared { template = prepared }
        // Those that play a script of their own keep it.
        for scope in everyScope {
            let isOwn = prepared != nil && improviser?.script(ofScope: scope.name) != nil
            carryOut(order, isOwn ? nil : prepared, scope)
        }
    }

    private func prepare(_ script: Script) -> PreparedScript {
        PreparedScript(script, origins: origins, roundTimeout: endsSilentRounds ? script.roundTimeout : nil)
    }

    private func carryOut(_ order: ScriptOrder, _ prepared: PreparedScript?, _ scope: ScriptScope) {
        switch order {
        case .signal(let name): raise(name, in: scope)
        case .reset, .replace:
            begin(scope, with: prepared ?? scope.state.prepared)
            letGo(scope)
        case .freeze: scope.isFrozen = true
        case .letGo: letGo(scope)
        }
    }

    private func begin(_ scope: ScriptScope, with prepared: PreparedScript) {
        let old = scope.state
        reportExhaustion(of: scope)
        old.round.stage = .over
        replace(scope, by: ScriptState(prepared, seed: seed, isNamed: !scope.name.isEmpty))
        if let latest = old.latest { journal(.startedOver, latest, scope) }
    }

    private func letGo(_ scope: ScriptScope) {
        guard scope.isFrozen else { return }
        scope.isFrozen = false
        awakened += connections.values.filter { $0.scope === scope && $0.exchange != nil }.map(\.id)
    }
}
