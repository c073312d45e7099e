import ClientMachines
import HTTPBasics
import NIOCore
import ServerScript
import ServerTLS

/// Drives a client machine; inputs are handed in on the session's loop actor.
protocol ClientSide: AnyObject {
    func deliver(_ input: ClientInput)
}

/// Drives the server machine; inputs are handed in on the server actor.
protocol ServerSide: AnyObject {
    func deliver(_ input: ScriptInput)
}

/// Names, connections and bytes between the sessions and the scripted server, in virtual time.
///
/// What a machine asks for takes effect at once on its own side (as in a kernel) and reaches the other side, as a
/// job of that side's actor, after the latency. This file dials; `SimulatedNetwork+Flow` moves bytes and
/// `SimulatedNetwork+Ending` ends connections.
final class SimulatedNetwork {
    /// A client's connection from the first output that names it until `closed` was delivered.
    private enum Attempt {
        case connecting
        case open(Link)
        /// Closed by the machine before it was open.
        case abandoned
    }

    let scheduler: Scheduler
    let names: NameTable
    let log: SimulationLog
    let segmentation: Segmentation
    /// At most one cut per connection: the first rule that names it.
    var cuts: [Int: CutRule] = [:]
    private let bends: [Bend]
    /// Hosts that are SOCKS proxies.
    var socksHosts: Set<String> = []
    /// Of the hosts that speak TLS.
    let security: [String: Result<HostSecurity, any Error>]
    private(set) var links: [Link] = []
    private(set) var attemptCount = 0
    private var attempts = SessionTable<ConnectionKey, Attempt>()
    private var questions: Set<DialKey> = []
    private var sessions: [any ClientSide] = []
    private weak var server: (any ServerSide)?

    init(
        scheduler: Scheduler, names: NameTable, security: [String: Result<HostSecurity, any Error>],
        _ options: SimulationOptions, decisions: inout DecisionMaker, log: SimulationLog
    ) {
        let rules = options.rules
        self.security = security
        self.scheduler = scheduler
        self.names = names
        self.log = log
        bends = rules.compactMap { if case .bend(let bend) = $0 { bend } else { nil } }
        segmentation = Segmentation(&decisions, options)
        for case .cut(let rule) in rules where cuts[rule.connection] == nil { cuts[rule.connection] = rule }
    }

    func attach(server: any ServerSide) { self.server = server }

    /// Sessions attach in the order of their numbers.
    func attach(client: any ClientSide) { sessions.append(client) }

    func detachAll() { sessions.removeAll() }

    func deliver(_ input: ClientInput, to session: Int) { sessions[session].deliver(input) }
    func deliver(_ input: ScriptInput) { server?.deliver(input) }

    func scheduleOnClient(_ session: Int, after delay: Duration = .zero, _ input: ClientInput) {
        scheduler.schedule(on: .clientLoop(session), after: delay) { [self] in deliver(input, to: session) }
    }

    /// The open connection that a client machine means.
    func link(_ session: Int, _ id: ConnectionID) -> Link? {
        if case .open(let link) = attempts[ConnectionKey(session: session, id: id)] { return link }
        return nil
    }

    var idleBends: [Bend] {
        let reached = links.reduce(into: Set<Bend>()) { $0.formUnion($1.bender?.reached ?? []) }
        return bends.filter { !reached.contains($0) }
    }

    func link(_ peer: PeerID) -> Link? { links.indices.contains(peer.value) ? links[peer.value] : nil }

    func forget(_ session: Int, _ id: ConnectionID) { attempts[ConnectionKey(session: session, id: id)] = nil }
}

// MARK: - Dialling

extension SimulatedNetwork {
    func resolve(_ session: Int, _ id: DialID, host: String, port: Int) {
        let key = DialKey(session: session, id: id)
        questions.insert(key)
        for family in AddressFamily.allCases {
            let name = names.answer(for: host, family)
            let delay = segmentation.nextLookup(at: scheduler.now) + name.delay
            scheduler.schedule(on: .network, after: delay) { [self] in
                switch name.answer {
                case .silence: return
                case .unknown(let detail): answer(key, .resolveFailed(id, family, detail: detail))
                case .addresses(let texts):
                    answer(key, .resolved(id, family, texts.map { NetworkAddress(text: $0, port: port) }))
                }
            }
        }
    }

    func stopResolving(_ session: Int, _ id: DialID) { questions.remove(DialKey(session: session, id: id)) }

    private func answer(_ key: DialKey, _ input: ClientInput) {
        scheduler.schedule(on: .clientLoop(key.session)) { [self] in
            if questions.contains(key) { deliver(input, to: key.session) }
        }
    }

    func connect(_ session: Int, _ id: ConnectionID, to address: NetworkAddress) {
        let key = ConnectionKey(session: session, id: id)
        attempts[key] = .connecting
        attemptCount += 1
        scheduler.schedule(on: .network, after: segmentation.nextLatency(at: scheduler.now)) { [self] in
            guard case .connecting = attempts[key] else { return }
            switch names.reachability(of: address) {
            case .silence: return
            case .failure(let failure):
                answer(key, .connectFailed(id, failure), after: segmentation.nextLatency(at: scheduler.now))
            case .listener(let host, .zero): accept(key, host: host)
            case .listener(let host, let delay):
                scheduler.schedule(on: .network, after: delay) { [self] in
                    if case .connecting = attempts[key] { accept(key, host: host) }
                }
            }
        }
    }

    /// The machine gives up a connection that is not open yet.
    func abandon(_ session: Int, _ id: ConnectionID) {
        let key = ConnectionKey(session: session, id: id)
        switch attempts[key] {
        case .connecting: attempts[key] = .abandoned
        case .open, .abandoned, nil: return
        }
        scheduler.schedule(on: .clientLoop(session)) { [self] in
            attempts[key] = nil
            deliver(.closed(id), to: session)
        }
    }

    private func answer(_ key: ConnectionKey, _ input: ClientInput, after delay: Duration = .zero) {
        scheduler.schedule(on: .clientLoop(key.session), after: delay) { [self] in
            switch attempts[key] {
            case .connecting:
                attempts[key] = nil
                deliver(input, to: key.session)
            case .open, .abandoned, nil: return
            }
        }
    }

    /// Nil for a host that speaks none, and for one that cannot: nothing goes in clear to the latter.
    ///
    /// - Parameter outer: The layer of the proxy that leads there.
    func makeTLS(of host: String, within outer: PeerTLS? = nil, isSpoilt: Bool = false) -> PeerTLS? {
        do {
            return try security[host]?.get().accept(within: outer, isSpoilt: isSpoilt)
        } catch {
            log.report("host \(host) cannot speak TLS: \(error)")
            return nil
        }
    }

    private func accept(_ key: ConnectionKey, host: String) {
        let link = Link(
            ordinal: links.count, session: key.session, id: key.id, host: host, opened: scheduler.now)
        link.isInPreface = socksHosts.contains(host)
        link.bender = Bender(bends, connection: link.ordinal)
        link.serverTLS = makeTLS(of: host)
        links.append(link)
        for side in [Side.client, .server] { prepareRead(link, at: side) }
        attempts[key] = .open(link)
        log.opened(connection: link.ordinal, as: key, host: host)
        scheduler.schedule(on: .server) { [self] in
            link.serverEnd.isEstablished = true
            guard security[host] == nil || link.serverTLS != nil else { return reset(link, from: .server) }
            deliver(.accepted(link.peer, host: host))
            queueRead(link, at: .server)
        }
        scheduler.schedule(on: .clientLoop(key.session), after: segmentation.nextLatency(at: scheduler.now)) { [self] in
            link.clientEnd.isEstablished = true
            if !link.clientEnd.isGone { deliver(.connected(key.id), to: key.session) }
            queueRead(link, at: .client)
        }
    }
}
