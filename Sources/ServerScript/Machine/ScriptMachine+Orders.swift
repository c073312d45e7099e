import HTTPBasics

/// What the user of a server that is shared wants, apart from what its clients do.
extension ScriptMachine {
    func carryOut(_ order: ScriptOrder, in name: String?) {
        let host = main.state.script.hosts.first ?? ""
        var prepared: PreparedScript?
        if case .replace(let script, let ticket) = order {
            guard !isOvertaken(ticket, in: name) else { return }
            // What was kept for other scripts may never be asked for again.
            contents.forget()
            let mount = name.flatMap(mount).map { mounts[$0].mount }
            prepared = prepare(
                mount.map { ScriptMount($0.place, script).renamed(to: host) } ?? script, at: mount,
                ticket: ticket ?? 0)
        }
        if let name {
            guard let scope = name.isEmpty ? main : openScope(name) else { return }
            scope.lastUse = moment.instant
            carryOut(order, prepared, scope)
            if let prepared, let index = mounts.firstIndex(where: { $0.mount.label == name }) {
                mounts[index].template = prepared
                for scope in everyScope where scope.name.hasPrefix(name + ":") { carryOut(order, prepared, scope) }
            }
            return
        }
        keep(order)
        if let prepared { template = prepared }
        // Those that play a script of their own keep it: other files, and cases.
        for scope in everyScope where prepared == nil || scope.name.utf8.first != UInt8(ascii: "/") {
            let isOwn = prepared != nil && improviser?.script(ofScope: scope.name) != nil
            carryOut(order, isOwn ? nil : prepared, scope)
        }
    }

    /// For scopes that nobody has named yet.
    private func keep(_ order: ScriptOrder) {
        switch order {
        case .signal(let name):
            if commonSignals.count < ScriptMachine.mostCommonSignals { commonSignals.insert(name) }
        case .freeze: opensFrozen = true
        case .letGo: opensFrozen = false
        case .reset, .replace:
            opensFrozen = false
            commonSignals = []
        }
    }

    private static let mostCommonSignals = 1024

    /// A load that began before the one that is in place, and is there only now: what would play that script plays a
    /// later one.
    package func isOvertaken(_ ticket: Int?, in name: String?) -> Bool {
        guard let ticket else { return false }
        let present = name.map { scope($0)?.state.prepared ?? template(of: $0) } ?? template
        return present.map { $0.ticket > ticket } ?? false
    }

    private func carryOut(_ order: ScriptOrder, _ prepared: PreparedScript?, _ scope: ScriptScope) {
        switch order {
        case .signal(let name): raise(name, in: scope)
        case .replace(_, let ticket?) where prepared != nil && scope.state.prepared.ticket > ticket: break
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
        old.isDiscarded = true
        replace(scope, by: ScriptState(prepared, seed: seed, isNamed: !scope.name.isEmpty))
        if let latest = old.latest { journal(.startedOver, latest, scope) }
    }

    private func letGo(_ scope: ScriptScope) {
        guard scope.isFrozen else { return }
        scope.isFrozen = false
        awakened += connections.values.filter { $0.scope === scope && !$0.isIdle && !$0.isOver }.map(\.id)
    }
}
