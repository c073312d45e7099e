import HTTPBasics
import MachineContract
import NIOCore
import ServerScript
import ServerTLS
import TLSEngine

/// Plays one script over sockets: one event loop, one script machine, all connections of all its hosts.
final class ServerWorld: World, PeerTaker, @unchecked Sendable {
    // Safety: the record of `main` and the callbacks serve any thread; all else is touched on the event loop only.

    /// After the last step a client may still ask for too much.
    private static let afterglow = TimeAmount.milliseconds(150)

    private let eventLoop: any EventLoop
    private let onEvent: @Sendable (ServerEvent) -> Void
    private let onSignal: @Sendable (String) -> Void
    private let onRound: (@Sendable (Verdict) -> Void)?
    private let machine: ScriptMachine
    private lazy var drainLoop = DrainLoop(machine: machine, world: self)
    private var alarm: (instant: Instant, scheduled: Scheduled<Void>)?
    private var isStopped = false
    private let main: ScopeRecord
    private let limits: ServerLimits
    private var named: [String: ScopeRecord]
    private var watches: [EventWatch] = []
    let transport: PeerTransport

    init(
        script: Script, origins: [String: String], seed: UInt64, rounds: ServerRounds, hasScopes: Bool,
        mounts: [ScriptMount], limits: ServerLimits, tracesWire: Bool, improviser: (any Improviser)?,
        eventLoop: any EventLoop,
        onEvent: @escaping @Sendable (ServerEvent) -> Void, onSignal: @escaping @Sendable (String) -> Void,
        onRound: (@Sendable (Verdict) -> Void)?, onFull: @escaping @Sendable (Int) -> Void
    ) throws {
        self.eventLoop = eventLoop
        self.limits = limits
        main = ScopeRecord("", isLasting: true, limits)
        self.onEvent = onEvent
        self.onSignal = onSignal
        self.onRound = onRound
        named = mounts.reduce(into: [:]) { $0[$1.label] = ScopeRecord($1.label, isLasting: true, limits) }
        let date = ServerClock.moment().date
        let security = try script.tls.mapValues { try HostSecurity($0, library: .system, date: date) }
        transport = PeerTransport(
            trace: tracesWire ? WireTrace() : nil, security: security,
            mostPeers: DescriptorLimit.peers(wanted: limits.connections), tellsClients: improviser != nil,
            onFull: onFull)
        machine = ScriptMachine(
            script: script, origins: origins, seed: seed, repeats: rounds == .many,
            roundTimeout: rounds == .endless ? nil : script.roundTimeout,
            peerTimeout: rounds == .endless ? nil : limits.idle, hasScopes: hasScopes, mostScopes: limits.scopes,
            mounts: mounts,
            improviser: improviser)
    }

    func take(_ input: ScriptInput) {
        guard !isStopped else { return }
        drainLoop.submit(input)
    }

    /// Of the scope without a name.
    var record: ServerRecord { main.record }

    /// Nil for a scope that there is not.
    func record(of scope: String) -> ServerRecord? { place(of: scope)?.record }

    private func place(of scope: String) -> ScopeRecord? { scope.isEmpty ? main : named[scope] }

    func verdict() -> Verdict { verdict(on: main) }

    private func verdict(on place: ScopeRecord, abandonment: Abandonment? = nil) -> Verdict {
        let standing = machine.standing(of: place.name)
        return Verdict(
            place.record.snapshot, scope: place.name, unconsumedSteps: standing?.unconsumedSteps ?? [],
            owedHandshakes: standing?.owedHandshakes ?? [], abandonment: abandonment,
            unusedRoutes: standing?.unusedRoutes ?? [])
    }

    /// The verdict on every scope as if the server stopped now, the one without a name first; and whether something
    /// has happened there on which none was given, such as a late request to a script that is played once.
    func verdicts() -> [(verdict: Verdict, isOpen: Bool)] {
        let places = [main] + named.values.sorted { $0.name < $1.name }
        return places.map { place in
            let isUnderWay = machine.standing(of: place.name)?.isUnderWay == true
            return (verdict(on: place), place.roundEnd != nil || isUnderWay || place.isWorse)
        }
    }

    var isExhausted: Bool { machine.isExhausted }

    /// Ends every connection and every timer now.
    func stop() {
        isStopped = true
        main.cancel()
        for place in named.values { place.cancel() }
        for watch in watches { watch.end(because: .stopped) }
        watches = []
        transport.stop()
        disarm()
    }

    // MARK: - Rounds

    /// The verdict comes after a while without requests, or with what begins the next round.
    private func roundPassed(in place: ScopeRecord) {
        guard onRound != nil else { return }
        place.roundEnd = eventLoop.scheduleTask(in: ServerWorld.afterglow) { [self] in tellRound(of: place) }
    }

    private func roundFailed(_ reason: Abandonment, in place: ScopeRecord) {
        place.tell()
        onRound?(verdict(on: place, abandonment: reason))
    }

    private func tellRound(of place: ScopeRecord) {
        guard place.roundEnd != nil else { return }
        place.cancel()
        place.tell()
        onRound?(Verdict(place.record.snapshot, scope: place.name))
    }

    private func take(_ news: ScopeNews, of name: String) {
        switch news {
        case .opened:
            named[name] = ScopeRecord(name, limits)
            for watch in watches where watch.scope == name { watch.restart() }
        case .forgotten:
            guard let place = named.removeValue(forKey: name) else { return }
            tellRound(of: place)
            if !place.isTold, place.record.requestCount > 0 {
                onRound?(Verdict(place.record.snapshot, scope: name))
            }
        }
    }

    private func take(_ event: ServerEvent) {
        guard let place = place(of: event.scope) else { return }
        if case .startedOver = event.kind {
            tellRound(of: place)
            place.begin()
        }
        place.record.append(event)
        if !watches.isEmpty { watches.removeAll { $0.scope == event.scope && $0.take(event) } }
        onEvent(event)
        if case .exhausted = event.kind { roundPassed(in: place) }
        if case .abandoned(let reason) = event.kind { roundFailed(reason, in: place) }
    }

    // MARK: - What others ask

    func scopes() -> [ScopeSummary] {
        ([main] + named.values.sorted { $0.name < $1.name }).compactMap { place in
            machine.standing(of: place.name).map { standing in
                let entries = place.record.snapshot
                return ScopeSummary(
                    name: place.name, requestCount: entries.requestCount, violationCount: entries.violationCount,
                    isUnderWay: standing.isUnderWay, isExhausted: standing.isExhausted, isFrozen: standing.isFrozen)
            }
        }
    }

    var reading: Reading { machine.reading }

    func verdict(of scope: String) -> Verdict? { place(of: scope).map { verdict(on: $0) } }

    func order(_ order: ScriptOrder, in scope: String?) -> OrderResult {
        if case .signal(let name) = order, scope.map(machine.hasPlace) ?? true {
            let awaited = machine.awaitedSignals(in: scope)
            if !awaited.contains(name) { return .unawaited(name, awaited: awaited.sorted()) }
        }
        if case .replace(_, let ticket) = order, machine.isOvertaken(ticket, in: scope) { return .overtaken }
        take(.order(order, scope: scope))
        guard let scope, machine.standing(of: scope) == nil else { return .done }
        return machine.hasPlace(ofScope: scope) ? .full : .nowhere
    }

    /// Counts what has happened already.
    func watch(_ watch: EventWatch, atMost span: TimeAmount) {
        guard !watch.isOver else { return }
        guard !isStopped, watches.count < limits.waits else { return watch.end(.refused) }
        if let entries = place(of: watch.scope)?.record.snapshot {
            for event in entries.events where watch.take(event) { return }
            watch.missed = entries.forgottenRequests
        }
        watches.append(watch)
        watch.alarm = eventLoop.scheduleTask(in: span) { [self] in end(watch, because: .deadline) }
    }

    func end(_ watch: EventWatch, because reason: EventWait.Hindrance) {
        watches.removeAll { $0 === watch }
        watch.end(because: reason)
    }

    // MARK: - World

    func moment() -> Moment { ServerClock.moment() }

    func perform(_ output: ScriptOutput) {
        switch output {
        case .journal(let event): take(event)
        case .scope(let name, let news): take(news, of: name)
        case .signal(let name): onSignal(name)
        case .write, .writeAhead, .closeOutput, .close, .strike, .spoilHandshake, .secure, .reset, .setReading:
            transport.perform(output)
        }
    }

    func deadlineMoved(to deadline: Instant?) {
        guard deadline != alarm?.instant else { return }
        disarm()
        guard let deadline, deadline.nanoseconds != .max, !isStopped else { return }
        let uptime = NIODeadline.uptimeNanoseconds(UInt64(max(0, deadline.nanoseconds)))
        let scheduled = eventLoop.scheduleTask(deadline: uptime) { [self] in
            alarm = nil
            drainLoop.timePassed()
        }
        alarm = (deadline, scheduled)
    }

    private func disarm() {
        alarm?.scheduled.cancel()
        alarm = nil
    }
}
