import HTTPBasics

/// Scopes: what several clients do that share the server without knowing of each other.
extension ScriptMachine {
    /// A named scope without requests is forgotten after this, but for one whose steps are under way, where the
    /// round's own end comes first, and one that is frozen.
    static let scopePatience = Duration.seconds(300)

    /// All of them, the one without a name first.
    var everyScope: [ScriptScope] { [main] + named.values.sorted { $0.name < $1.name } }

    func scope(_ name: String) -> ScriptScope? { name.isEmpty ? main : named[name] }

    /// The request as the script of its scope sees it, on a connection that is that scope's from now on; nil when it
    /// was refused.
    func enterScope(_ head: ReceivedHead, _ connection: ServerConnection) -> ReceivedHead? {
        guard hasScopes else { return head }
        var head = head
        var name = head.fields.first(ScopeName.field)
        if name != nil, head.fields.count(ScopeName.field) > 1 {
            return refuse("two \(ScopeName.field) fields: a request is about one scope", 400, head, connection)
        }
        if let (found, target) = ScopeName.divide(head.target) {
            if let name, name != found {
                let text = "the path names the scope '\(excerpt(found))', and the field \(ScopeName.field) another"
                return refuse(text, 400, head, connection)
            }
            head = head.renamed(target: target)
            name = found
        }
        var label = connection.mount ?? ""
        for prepared in mounts where connection.mount == nil {
            guard let target = prepared.mount.target(of: head) else { continue }
            label = prepared.mount.label
            head = head.renamed(target: target)
            break
        }
        guard let name else {
            enter(scope(label) ?? main, connection)
            return head
        }
        guard ScopeName.isGood(name) else {
            return refuse("'\(excerpt(name))' is no name of a scope: wanted \(ScopeName.rule)", 400, head, connection)
        }
        guard let scope = openScope(label.isEmpty ? name : "\(label):\(name)") else {
            let text = "there are \(mostScopes) scopes, and each is frozen, or steps of it are under way"
            return refuse(text, 503, head, connection)
        }
        enter(scope, connection)
        return head
    }

    private func refuse(
        _ text: String, _ status: Int, _ head: ReceivedHead, _ connection: ServerConnection
    ) -> ReceivedHead? {
        enter(home(of: connection), connection)
        startOver(for: connection)
        record(head, lane: nil, connection)
        reject(Violation(text), of: head, status: status, on: connection)
        return nil
    }

    /// Of a connection whose requests have named none.
    private func home(of connection: ServerConnection) -> ScriptScope { scope(connection.mount ?? "") ?? main }

    /// What the connection has played in this scope before it has played still.
    private func enter(_ scope: ScriptScope, _ connection: ServerConnection) {
        scope.lastUse = moment.instant
        guard connection.scope !== scope else { return }
        connection.scope = scope
        note(scope)
        let board = scope.state.board
        connection.lane = board.lane(boundTo: connection.id)
        connection.hasUnlabelledSteps = board.hasPlayedUnlabelled(connection.id)
        connection.rawLeft = nil
    }

    func openScope(_ name: String) -> ScriptScope? {
        if let scope = named[name] { return scope }
        guard let template = template(of: name),
            named.count < mostScopes + mounts.count || forgetIdlest()
        else { return nil }
        let scope = ScriptScope(name, template, seed: seed, at: moment.instant)
        scope.isFrozen = opensFrozen
        scope.state.raised = commonSignals
        named[name] = scope
        scopeAlarm = Instant.earlier(scopeAlarm, moment.instant + ScriptMachine.scopePatience)
        emit(.scope(name, .opened))
        return scope
    }

    /// A mount's own scope lasts as long as the server.
    func add(_ mount: ScriptMount) {
        let host = main.state.script.hosts.first ?? ""
        let prepared = prepare(mount.renamed(to: host), at: mount)
        mounts.append(PreparedMount(mount: mount, template: prepared))
        named[mount.label] = ScriptScope(mount.label, prepared, seed: seed, at: .zero)
    }

    func prepare(_ script: Script, at mount: ScriptMount? = nil, ticket: Int = 0) -> PreparedScript {
        var origins = origins
        if let mount, let host = script.hosts.first, let url = origins[host] { origins[host] = mount.origin(url) }
        return PreparedScript(
            script, origins: origins, roundTimeout: endsSilentRounds ? script.roundTimeout : nil, ticket: ticket)
    }

    /// Of a scope that is named for the first time; nil for one of a mount that there is not.
    func template(of name: String) -> PreparedScript? {
        guard name.utf8.first == UInt8(ascii: "/") else { return preparedScript(ofScope: name) }
        return mount(ofScope: name).map { mounts[$0].template }
    }

    /// Whose own scope it is, or one that requests name there.
    func mount(ofScope name: String) -> Int? {
        mounts.firstIndex { $0.mount.label == name } ?? mounts.firstIndex { name.hasPrefix($0.mount.label + ":") }
    }

    private func isIdle(_ scope: ScriptScope) -> Bool {
        !mounts.contains { $0.mount.label == scope.name } && !scope.state.isAwaited && !scope.isFrozen
            && !connections.values.contains { $0.scope === scope && $0.isBusy }
    }

    private func forgetIdlest() -> Bool {
        let idle = named.values.filter(isIdle)
        guard let oldest = idle.min(by: { ($0.lastUse, $0.name) < ($1.lastUse, $1.name) }) else { return false }
        forget(oldest)
        return true
    }

    private func forget(_ scope: ScriptScope) {
        remember(scope)
        named.removeValue(forKey: scope.name)
        for connection in connections.values where connection.scope === scope {
            enter(home(of: connection), connection)
        }
        emit(.scope(scope.name, .forgotten))
    }

    func forgetIdleScopes() {
        guard let alarm = scopeAlarm, alarm <= moment.instant else { return }
        scopeAlarm = nil
        for scope in everyScope.dropFirst() {
            let due = scope.lastUse + ScriptMachine.scopePatience
            if due <= moment.instant, isIdle(scope) {
                forget(scope)
            } else {
                // One that is busy is looked at again after the same time.
                let next = max(due, moment.instant + ScriptMachine.scopePatience / 4)
                scopeAlarm = Instant.earlier(scopeAlarm, next)
            }
        }
    }
}

// MARK: What others may ask

extension ScriptMachine {
    /// How a scope stands, for the verdict.
    package struct Standing {
        package let unconsumedSteps: [Step]
        package let owedHandshakes: [OwedHandshake]
        /// Something has happened in the round that no verdict has been given on.
        package let isUnderWay: Bool
        package let isExhausted: Bool
        package let isFrozen: Bool
        /// Those that have answered nothing, in any round.
        package let unusedRoutes: [Route]
    }

    /// How the clients of the scope without a name are read from now on, and with it all others.
    package var reading: Reading { main.state.script.reading }

    /// False for a place where no script is.
    package func hasPlace(ofScope name: String) -> Bool {
        name.utf8.first != UInt8(ascii: "/") || mount(ofScope: name) != nil
    }

    /// What answers of a scope await, or would if somebody named it; nil for all scopes. What is under way there plays
    /// perhaps another script than the scope does by now.
    package func awaitedSignals(in name: String?) -> Set<String> {
        let scopes = name.map { scope($0).map { [$0] } ?? [] } ?? everyScope
        var scripts = scopes.map(\.state.script)
        if let name {
            if scopes.isEmpty { scripts = template(of: name).map { [$0.script] } ?? [] }
        } else {
            scripts += [template.script] + mounts.map(\.template.script)
        }
        let isMeant = { (connection: ServerConnection) in scopes.contains { $0 === connection.scope } }
        return connections.values.filter(isMeant).reduce(into: Set(scripts.flatMap(\.awaitedSignals))) {
            if case .signal(let name) = $1.pause { $0.insert(name) }
        }
    }

    /// Nil for a scope that there is not. The one without a name is always there.
    package func standing(of name: String = "") -> Standing? {
        guard let scope = scope(name) else { return nil }
        let state = scope.state
        return Standing(
            unconsumedSteps: state.board.unconsumed, owedHandshakes: state.owedHandshakes,
            isUnderWay: state.round.stage == .underWay, isExhausted: state.isExhausted,
            isFrozen: scope.isFrozen, unusedRoutes: state.unusedRoutes)
    }
}
