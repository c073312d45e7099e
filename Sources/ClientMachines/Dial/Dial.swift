import HTTPBasics

/// From the name of a host to one open connection, as RFC 8305 ("Happy Eyeballs") has it (BEHAVIOUR 2.F11).
///
/// The names of both families are asked apart. Addresses are tried in turns, IPv6 first; the next one when its
/// predecessor fails, or has had a head start. The first that answers is the connection, and all others are closed.
package struct Dial {
    package enum Event: Hashable, Sendable {
        /// In the resolver's order (RFC 6724); none is no error as long as the other family has some.
        case resolved(AddressFamily, [NetworkAddress])
        case resolveFailed(AddressFamily, detail: String)
        case connected(ConnectionID)
        case connectFailed(ConnectionID, ConnectFailure)
        case timePassed
    }

    package enum Outcome: Hashable, Sendable {
        case connected(ConnectionAttempt)
        case failed(Failure.Kind, detail: String)
    }

    /// What is known of the addresses of one family.
    private struct Side {
        var isAwaited = true
        /// The next one is the last here.
        var untried: [NetworkAddress] = []
        var found = Instant.zero
    }

    package let id: DialID
    package let route: ConnectionRoute
    private let settings: DialSettings
    private var v6 = Side()
    private var v4 = Side()
    /// In the order in which they began.
    private var running: [ConnectionAttempt] = []
    private var lastTried: AddressFamily?
    package let began: Instant
    private var firstTry: Instant?
    /// Until when IPv4 addresses wait for the answer about IPv6.
    private var resolutionEnd = Instant.zero
    /// When the next address may be tried beside those that are.
    private var nextAttempt = Instant.zero
    private var failure: ConnectFailure?
    private var resolveDetail = "The name has no address."

    package init(_ id: DialID, _ route: ConnectionRoute, _ settings: DialSettings, at now: Instant) {
        self.id = id
        self.route = route
        self.settings = settings
        began = now
    }

    /// How far it is: what the metrics of a task show that waits for it.
    package var progress: Progress {
        Progress(
            lookup: Transaction.Phase(start: began, end: firstTry),
            connect: firstTry.map { Transaction.Phase(start: $0) })
    }

    /// The same at its end. The address counts that won: when it was known, and when it was tried (BEHAVIOUR 2.G3-won).
    package func progress(to winner: ConnectionAttempt, at now: Instant) -> Progress {
        Progress(
            lookup: Transaction.Phase(start: began, end: winner.found),
            connect: Transaction.Phase(start: winner.began, end: now))
    }

    package var deadline: Instant? {
        let limit = isLastHope ? nil : running.first.map { $0.began + settings.attemptLimit }
        guard nextFamily != nil, running.count < settings.mostAttempts else { return limit }
        let next = running.isEmpty ? resolutionEnd : nextAttempt
        return Instant.earlier(next, limit)
    }

    /// The outcome ends the dial: it has said then what has to end with it.
    package mutating func handle(
        _ event: Event, at now: Instant, _ attempts: inout ConnectionAttempts, into outputs: inout [ClientOutput]
    ) -> Outcome? {
        switch event {
        case .resolved(let family, let addresses): found(addresses, of: family, at: now)
        case .resolveFailed(let family, let detail):
            self[family].isAwaited = false
            resolveDetail = detail
        case .connected(let id):
            guard let winner = remove(id, &attempts) else { return nil }
            end(&attempts, into: &outputs)
            return .connected(winner)
        case .connectFailed(let id, let failure):
            guard remove(id, &attempts) != nil else { return nil }
            note(failure)
            nextAttempt = now
        case .timePassed: break
        }
        return advance(at: now, &attempts, into: &outputs)
    }

    /// It is given up, or has a connection.
    package mutating func end(_ attempts: inout ConnectionAttempts, into outputs: inout [ClientOutput]) {
        for attempt in running {
            attempts.end(attempt.id)
            outputs.append(.close(attempt.id))
        }
        running = []
        if v6.isAwaited || v4.isAwaited { outputs.append(.stopResolving(id)) }
    }

    private subscript(family: AddressFamily) -> Side {
        _read { yield family == .v6 ? v6 : v4 }
        _modify { if family == .v6 { yield &v6 } else { yield &v4 } }
    }

    private mutating func found(_ addresses: [NetworkAddress], of family: AddressFamily, at now: Instant) {
        guard self[family].isAwaited else { return }
        let usable = addresses.prefix(settings.mostAddresses)
        self[family] = Side(isAwaited: false, untried: usable.reversed(), found: now)
        if family == .v4 { resolutionEnd = now + settings.resolutionDelay }
    }

    private mutating func advance(
        at now: Instant, _ attempts: inout ConnectionAttempts, into outputs: inout [ClientOutput]
    ) -> Outcome? {
        while let overdue = running.first, overdue.began + settings.attemptLimit <= now, !isLastHope {
            _ = remove(overdue.id, &attempts)
            outputs.append(.close(overdue.id))
            note(.timedOut)
            nextAttempt = now
        }
        while let family = nextFamily, mayTry(at: now), let address = self[family].untried.popLast() {
            let attempt = ConnectionAttempt(
                id: attempts.begin(for: id), address: address, found: self[family].found, began: now)
            running.append(attempt)
            lastTried = family
            firstTry = firstTry ?? now
            nextAttempt = now + settings.attemptDelay
            outputs.append(.connect(attempt.id, for: id, address))
        }
        guard running.isEmpty, nextFamily == nil, !v6.isAwaited, !v4.isAwaited else { return nil }
        guard let failure else { return .failed(.cannotFindHost, detail: resolveDetail) }
        return .failed(failure.kind, detail: failure.detail)
    }

    /// The families take turns for as long as both have addresses; what is found late joins in (RFC 8305 3).
    private var nextFamily: AddressFamily? {
        let order: [AddressFamily] = lastTried == .v6 ? [.v4, .v6] : [.v6, .v4]
        return order.first { !self[$0].untried.isEmpty }
    }

    private func mayTry(at now: Instant) -> Bool {
        guard running.isEmpty else { return running.count < settings.mostAttempts && nextAttempt <= now }
        // IPv6 is tried first, if it comes soon.
        return firstTry != nil || !v6.isAwaited || !v6.untried.isEmpty || resolutionEnd <= now
    }

    /// All else is tried, and nothing was heard of the host: the last attempt has as long as the dial (1.B12-silent).
    private var isLastHope: Bool {
        running.count == 1 && nextFamily == nil && !v6.isAwaited && !v4.isAwaited
            && (failure?.tells ?? 0) <= ConnectFailure.timedOut.tells
    }

    /// The most telling failure is that of the dial; of several the last.
    private mutating func note(_ new: ConnectFailure) {
        if new.tells >= failure?.tells ?? 0 { failure = new }
    }

    private mutating func remove(_ id: ConnectionID, _ attempts: inout ConnectionAttempts) -> ConnectionAttempt? {
        guard let index = running.firstIndex(where: { $0.id == id }) else { return nil }
        attempts.end(id)
        return running.remove(at: index)
    }
}

extension Dial {
    /// The phases of a dial, with no end where they have not ended.
    package struct Progress: Hashable, Sendable {
        package let lookup: Transaction.Phase
        package let connect: Transaction.Phase?
    }
}

/// One address that a dial tries.
package struct ConnectionAttempt: Hashable, Sendable {
    package let id: ConnectionID
    package let address: NetworkAddress
    /// When the address was known, and when it was tried.
    package let found: Instant
    package let began: Instant
}
