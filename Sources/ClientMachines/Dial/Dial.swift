import HTTPBasics
import NIOCore
import TLSBasics

/// From the name of a host to one open connection, as RFC 8305 ("Happy Eyeballs") has it (BEHAVIOUR 2.F11).
///
/// The names of both families are asked apart. Addresses are tried in turns, IPv6 first; the next one when its
/// predecessor fails, or has had a head start. The first that answers is the connection, and all others are closed.
/// Where the route demands it, the world secures the connection then, with the proxy, with the server, or with one
/// within the other: only after that is it open.
package struct Dial {
    package enum Event: Hashable, Sendable {
        /// In the resolver's order (RFC 6724); none is no error as long as the other family has some.
        case resolved(AddressFamily, [NetworkAddress])
        case resolveFailed(AddressFamily, detail: String)
        case connected(ConnectionID, local: NetworkAddress? = nil, isMultipath: Bool = false)
        /// From the proxy in the way.
        case received(ConnectionID, ByteBuffer)
        /// It has finished sending.
        case inputClosed(ConnectionID)
        case secured(TLSFacts)
        case secureFailed(SecureFailure)
        case connectFailed(ConnectionID, ConnectFailure)
        case timePassed
    }

    package enum Outcome: Hashable, Sendable {
        case connected(ConnectionAttempt)
        /// The connection is there, and its proxy is to be asked to let it through.
        case tunnelling
        /// The proxy wants to know who asks.
        case asked(ResponseHead)
        /// The proxy lets the connection through, and proves who it is: it goes on when that is judged.
        case proves([UInt8])
        case failed(Failure.Kind, detail: String, SecureFailure? = nil)
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
    private let client: ClientSettings
    /// What is said to the proxy in the way, until it lets the connection through.
    private var tunnel: Tunnel?
    /// What the proxy was told of the user so far.
    package var login = ProxyLogin()
    /// The task whose user has told it that.
    package var informant: TaskID?
    /// The task on whose behalf the system was asked for what it is told.
    var negotiator: TaskID?
    /// For its answer the proxy needs another connection: it does not keep the one on which it asked.
    package private(set) var isToConnectAgain = false
    /// The proxy has asked, and was not answered yet.
    private var isAsked = false
    /// The proxy has asked on this connection.
    private var hasAsked = false
    /// What came behind the proxy's word, until that is judged.
    private var heldBack = ByteBuffer()
    /// What the proxy has said when it let the connection through.
    package private(set) var admission: ResponseHead?
    private var v6 = Side()
    private var v4 = Side()
    /// In the order in which they began.
    private var running: [ConnectionAttempt] = []
    /// The one that has answered, while it is being secured.
    private var winner: ConnectionAttempt?
    /// With whom that is.
    package private(set) var peer: SecuredPeer?
    private var lastTried: AddressFamily?
    package let began: Instant
    /// When it began, or had an answer of its user's.
    package var silentSince: Instant
    private var firstTry: Instant?
    /// Until when IPv4 addresses wait for the answer about IPv6.
    private var resolutionEnd = Instant.zero
    /// When the next address may be tried beside those that are.
    private var nextAttempt = Instant.zero
    private var failure: ConnectFailure?
    private var resolveDetail = "The name has no address."

    package init(_ id: DialID, _ route: ConnectionRoute, _ settings: ClientSettings, at now: Instant) {
        self.id = id
        self.route = route
        self.settings = settings.dialling
        client = settings
        began = now
        silentSince = now
    }

    /// Its connection that the proxy in the way has not let through.
    package var isTunnelling: Bool { tunnel != nil }

    /// How far it is: what the metrics of a task show that waits for it.
    package var progress: Progress {
        if let winner { return progress(to: winner) }
        return Progress(
            lookup: Transaction.Phase(start: began, end: firstTry),
            connect: firstTry.map { Transaction.Phase(start: $0) }, secure: nil)
    }

    /// The same at its end. The address counts that won: when it was known, and when it was tried (BEHAVIOUR 2.G3-won).
    /// A connection counts as made when it is secured (BEHAVIOUR 2.G3-secure).
    package func progress(to winner: ConnectionAttempt) -> Progress {
        Progress(
            lookup: Transaction.Phase(start: began, end: winner.found),
            connect: Transaction.Phase(start: winner.began, end: winner.ready),
            secure: route.isSecure
                ? winner.tunnelled.map { Transaction.Phase(start: $0, end: winner.ready) } : nil)
    }

    /// Its connection that is being secured.
    package var securing: ConnectionID? { winner?.id }

    package var deadline: Instant? {
        // How long securing it takes is up to the tasks that wait for it, and to their users.
        if winner != nil { return nil }
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
        case .connected(let id, let local, let isMultipath):
            guard var first = remove(id, &attempts) else { return nil }
            end(&attempts, into: &outputs)
            (first.local, first.isMultipath, first.connected) = (local, isMultipath, now)
            winner = first
            attempts.goOn(id, for: self.id)
            guard let proxy = route.securedProxy else { return reached(at: now, &attempts, into: &outputs) }
            secure(id, with: proxy, into: &outputs)
            return nil
        case .secureFailed where isAsked:
            isToConnectAgain = true
            return nil
        case .received(let id, _) where isAsked && id == winner?.id,
            .inputClosed(let id) where isAsked && id == winner?.id,
            .connectFailed(let id, _) where isAsked && id == winner?.id:
            // While its user is asked the proxy's connection has come to nothing.
            isToConnectAgain = true
            return nil
        case .inputClosed(let id) where hasLostAnswer(on: id), .connectFailed(let id, _) where hasLostAnswer(on: id):
            // It ended behind its question, without a word about that (BEHAVIOUR 2.A39-again).
            login.next = login.sent?.authorization
            connectAgain(&attempts, into: &outputs)
            return nil
        case .received(let id, let bytes):
            guard id == winner?.id, let step = tunnel?.received(bytes) else { return nil }
            return follow(step, at: now, &attempts, into: &outputs)
        case .inputClosed(let id):
            guard id == winner?.id, let step = tunnel?.ended(inOrder: true) else { return nil }
            return follow(step, at: now, &attempts, into: &outputs)
        case .secured(let facts):
            guard var open = winner, let peer else { return nil }
            self.peer = nil
            if peer.proxy != nil { return reached(at: now, &attempts, into: &outputs) }
            winner = nil
            attempts.end(open.id)
            (open.security, open.ready) = (facts, now)
            return .connected(open)
        case .secureFailed(let failure):
            // It stays the winner: the phases of a dial that fails tell how far it came.
            guard let lost = winner else { return nil }
            attempts.end(lost.id)
            outputs.append(.close(lost.id))
            return .failed(failure.kind, detail: failure.detail, failure)
        case .connectFailed(let id, _) where id == winner?.id && tunnel != nil:
            guard let step = tunnel?.ended(inOrder: false) else { return nil }
            return follow(step, at: now, &attempts, into: &outputs)
        case .connectFailed(let id, _) where id == winner?.id:
            let ended = TLSFailure(.ended, .notRequested, "The peer ended the connection while it was being secured.")
            attempts.end(id)
            let failure = SecureFailure(ended, proxy: peer?.proxy)
            return .failed(.secureConnectionFailed, detail: failure.detail, failure)
        case .connectFailed(let id, let failure):
            guard remove(id, &attempts) != nil else { return nil }
            note(failure)
            nextAttempt = now
        case .timePassed: break
        }
        return advance(at: now, &attempts, into: &outputs)
    }

    /// Asks the proxy to let the connection through.
    ///
    /// - Parameter authorization: The value of the field, for a proxy that has asked.
    package mutating func askProxy(
        _ authorization: String?, at now: Instant, _ attempts: inout ConnectionAttempts,
        into outputs: inout [ClientOutput]
    ) -> Outcome? {
        guard winner != nil, let proxy = route.tunnelled else { return nil }
        var tunnel = Tunnel(to: route.origin, through: proxy, authorization: authorization, client)
        let first = tunnel.begin()
        isAsked = false
        self.tunnel = tunnel
        return follow(first, at: now, &attempts, into: &outputs)
    }

    /// What to say to the proxy next, or what to think of it, is made out: what happens to the connection meanwhile
    /// makes it useless.
    mutating func waitForSystem() { isAsked = true }

    /// The proxy is who it should be.
    mutating func proved(
        at now: Instant, _ attempts: inout ConnectionAttempts, into outputs: inout [ClientOutput]
    ) -> Outcome? {
        isAsked = false
        defer { heldBack = ByteBuffer() }
        return goOn(unread: heldBack, at: now, &attempts, into: &outputs)
    }

    /// The proxy has closed the connection with its challenge: another one to the same address takes its place.
    package mutating func connectAgain(
        _ attempts: inout ConnectionAttempts, into outputs: inout [ClientOutput]
    ) {
        guard let lost = winner else { return }
        attempts.end(lost.id)
        outputs.append(.close(lost.id))
        (winner, peer, tunnel, isAsked, isToConnectAgain, hasAsked) = (nil, nil, nil, false, false, false)
        let attempt = ConnectionAttempt(
            id: attempts.begin(for: id), address: lost.address, found: lost.found, began: lost.began)
        running.append(attempt)
        outputs.append(.connect(attempt.id, for: id, lost.address, codePoint: route.codePoint))
    }

    /// The proxy was asked again on the connection on which it asked, and has said nothing to that.
    private func hasLostAnswer(on id: ConnectionID) -> Bool {
        id == winner?.id && hasAsked && tunnel.map { !$0.hasHeard } ?? false
    }

    private mutating func follow(
        _ step: Tunnel.Advance, at now: Instant, _ attempts: inout ConnectionAttempts,
        into outputs: inout [ClientOutput]
    ) -> Outcome? {
        guard let winner else { return nil }
        switch step {
        case .wait: return nil
        case .send(let bytes):
            outputs.append(.writeHead(winner.id, bytes))
            let next = tunnel?.received(ByteBuffer()) ?? .wait
            return follow(next, at: now, &attempts, into: &outputs)
        case .open(let unread):
            admission = tunnel?.success
            tunnel = nil
            if let proof = admission.flatMap({ login.proof(in: $0) }) {
                heldBack = unread
                return .proves(proof)
            }
            return goOn(unread: unread, at: now, &attempts, into: &outputs)
        case .asked(let head, let isReusable):
            (tunnel, isAsked, isToConnectAgain, hasAsked) = (nil, true, !isReusable, true)
            return .asked(head)
        case .failed(let kind, let detail):
            attempts.end(winner.id)
            outputs.append(.close(winner.id))
            return .failed(kind, detail: detail)
        }
    }

    /// Whoever comes first on the way can be spoken to: the proxy, or the server.
    private mutating func reached(
        at now: Instant, _ attempts: inout ConnectionAttempts, into outputs: inout [ClientOutput]
    ) -> Outcome? {
        route.tunnelled != nil ? .tunnelling : goOn(unread: ByteBuffer(), at: now, &attempts, into: &outputs)
    }

    private mutating func secure(
        _ id: ConnectionID, with peer: SecuredPeer, unread: ByteBuffer = ByteBuffer(),
        into outputs: inout [ClientOutput]
    ) {
        self.peer = peer
        outputs.append(.secure(id, peer, unread: unread))
    }

    /// The way to the server is free.
    private mutating func goOn(
        unread: ByteBuffer, at now: Instant, _ attempts: inout ConnectionAttempts, into outputs: inout [ClientOutput]
    ) -> Outcome? {
        guard var open = winner else { return nil }
        open.tunnelled = now
        guard route.isSecure else {
            winner = nil
            attempts.end(open.id)
            (open.ready, open.unread) = (now, unread)
            return .connected(open)
        }
        winner = open
        secure(open.id, with: .server(route), unread: unread, into: &outputs)
        return nil
    }

    /// It is given up, or has a connection.
    package mutating func end(_ attempts: inout ConnectionAttempts, into outputs: inout [ClientOutput]) {
        for attempt in running + [winner].compactMap({ $0 }) {
            attempts.end(attempt.id)
            outputs.append(.close(attempt.id))
        }
        (running, winner) = ([], nil)
        if v6.isAwaited || v4.isAwaited { outputs.append(.stopResolving(id)) }
        (v6, v4) = (Side(isAwaited: false), Side(isAwaited: false))
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
        if winner != nil { return nil }
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
            outputs.append(.connect(attempt.id, for: id, address, codePoint: route.codePoint))
        }
        guard running.isEmpty, nextFamily == nil, !v6.isAwaited, !v4.isAwaited else { return nil }
        guard let failure else { return failed(.cannotFindHost, detail: resolveDetail) }
        return failed(failure.kind, detail: failure.detail)
    }

    /// An HTTP proxy that cannot be reached is another failure than a server (BEHAVIOUR 2.E6).
    private func failed(_ kind: Failure.Kind, detail: String) -> Outcome {
        guard let proxy = route.proxy, proxy.kind == .http, kind != .notConnectedToInternet else {
            return .failed(kind, detail: detail)
        }
        let own = route.isSecure ? Failure.Kind.httpsProxyConnectionFailure : .httpProxyConnectionFailure
        return .failed(own, detail: "The proxy cannot be reached. \(detail)")
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
        package let secure: Transaction.Phase?
    }
}

/// One address that a dial tries.
package struct ConnectionAttempt: Hashable, Sendable {
    package let id: ConnectionID
    package let address: NetworkAddress
    /// When the address was known, and when it was tried.
    package let found: Instant
    package let began: Instant
    /// Our own end, where the world knows it.
    package var local: NetworkAddress?
    package var isMultipath = false
    /// When it answered, and when it was ready for a request.
    package var connected: Instant?
    /// When the way to the server was free.
    package var tunnelled: Instant?
    package var ready: Instant?
    package var security: TLSFacts?
    /// What the proxy in the way has sent behind its word.
    package var unread = ByteBuffer()
}
