import ClientMachines
import HTTPBasics

/// No more exchanges at a time on a connection than its codec carries, no more connections to a host than the session
/// allows, one connection of a dial at most, and no use of a connection that is over.
package struct ConnectionChecker: Checker {
    package static let name: StaticString = "connection"

    private struct Host: Hashable {
        var session: Int
        var name: String
        var port: Int
    }

    private struct Dial {
        var host: Host
        /// Names that are being asked, attempts under way, and the connection that came of it.
        var questions = AddressFamily.allCases.count
        var connections = 0
        /// Counts against the host's limit: from the decision to dial until the machine lets go of all of it.
        var isHeld = false
        var used: ConnectionID?
    }

    private var limits: [Int: Int] = [:]
    private var dials = SessionTable<DialKey, Dial>()
    /// The dials of connections that are not over.
    private var connections = SessionTable<ConnectionKey, DialID>()
    private var held: [Host: Int] = [:]
    /// Per connection of the network: completed answers, until its bytes cannot be judged.
    private var answered: [Int: Int] = [:]
    private var owners: [Int: ConnectionKey] = [:]

    private let exchangesAtATime: Int

    package init(exchangesAtATime: Int = 1) { self.exchangesAtATime = exchangesAtATime }

    package mutating func began(session: Int, _ settings: ClientSettings) {
        limits[session] = settings.connectionsPerHost
    }

    package mutating func opened(connection: Int, as client: ConnectionKey) {
        answered[connection] = 0
        owners[connection] = client
    }

    package mutating func note(_ input: ClientInput, _ session: Int, _ findings: inout Findings) {
        switch input {
        case .resolved(let id, _, _), .resolveFailed(let id, _, _):
            change(DialKey(session: session, id: id), &findings) { $0.questions -= 1 }
        case .closed(let id), .connectFailed(let id, _): end(ConnectionKey(session: session, id: id), &findings)
        default: return
        }
    }

    package mutating func note(_ output: ClientOutput, _ session: Int, _ findings: inout Findings) {
        switch output {
        case .resolve(let id, let name, let port):
            let key = DialKey(session: session, id: id)
            if dials[key] != nil {
                findings.add("dial \(id.value) was resolved twice: its number was used again", session: session)
            }
            dials[key] = Dial(host: Host(session: session, name: name, port: port))
            change(key, &findings) { _ in }
        case .stopResolving(let id): change(DialKey(session: session, id: id), &findings) { $0.questions = 0 }
        case .connect(let id, let dial, _, _):
            connections[ConnectionKey(session: session, id: id)] = dial
            change(DialKey(session: session, id: dial), &findings) { $0.connections += 1 }
        case .write(let id, _), .writeHead(let id, _), .writeFile(let id, _, _, _):
            guard let dial = connections[ConnectionKey(session: session, id: id)] else {
                return findings.add("bytes were written to connection \(id.value), which is over", session: session)
            }
            let key = DialKey(session: session, id: dial)
            if dials[key]?.used ?? id != id || dials[key]?.connections != 1 {
                findings.add(
                    "dial \(dial.value) has more connections than \(id.value), which is used", session: session)
            }
            dials[key]?.used = id
        case .close(let id): end(ConnectionKey(session: session, id: id), &findings)
        default: return
        }
    }

    private mutating func end(_ key: ConnectionKey, _ findings: inout Findings) {
        guard let dial = connections.remove(key) else { return }
        let dialKey = DialKey(session: key.session, id: dial)
        // A proxy may have closed it with its challenge: the dial goes on with another one.
        if dials[dialKey]?.used == key.id { dials[dialKey]?.used = nil }
        change(DialKey(session: key.session, id: dial), &findings) { $0.connections -= 1 }
    }

    private mutating func change(_ key: DialKey, _ findings: inout Findings, _ change: (inout Dial) -> Void) {
        guard var dial = dials[key] else { return }
        change(&dial)
        let (wasHeld, host) = (dial.isHeld, dial.host)
        dial.isHeld = dial.questions > 0 || dial.connections > 0
        dials[key] = dial
        guard dial.isHeld != wasHeld else { return }
        held[host, default: 0] += dial.isHeld ? 1 : -1
        if dial.isHeld, let count = held[host], let limit = limits[key.session], count > limit {
            findings.add(
                "\(count) connections to \(host.name):\(host.port), allowed are \(limit)", session: key.session)
        }
    }

    package mutating func note(_ event: WireEvent, _ connection: Int, _ findings: inout Findings) {
        switch event {
        case .requestBegan(let exchange, let method, let target):
            guard let done = answered[connection], done + exchangesAtATime <= exchange, let owner = owners[connection]
            else { return }
            findings.add(
                "\(method) \(target) began on connection \(owner.id.value) before the answer to exchange \(done) ended",
                session: owner.session)
        case .responseEnded(let exchange):
            if answered[connection] != nil { answered[connection] = exchange + 1 }
        case .unsure: answered[connection] = nil
        case .requestEnded, .responseBegan, .responseBody: return
        }
    }
}
