import ClientMachines
import HTTPBasics

/// One exchange at a time on a connection, no more connections to a host than the session allows, and no use of a
/// connection that is over.
package struct ConnectionChecker: Checker {
    package static let name: StaticString = "connection"

    private struct Host: Hashable {
        var session: Int
        var name: String
        var port: Int
    }

    private struct State {
        var host: Host
        /// Counts against the host's limit: from the decision to dial until the machine lets it go.
        var isHeld = true
    }

    private var limits: [Int: Int] = [:]
    private var connections = SessionTable<ConnectionKey, State>()
    private var held: [Host: Int] = [:]
    /// Per connection of the network: completed answers, until its bytes cannot be judged.
    private var answered: [Int: Int] = [:]
    private var owners: [Int: ConnectionKey] = [:]

    package init() {}

    package mutating func began(session: Int, _ settings: ClientSettings) {
        limits[session] = settings.connectionsPerHost
    }

    package mutating func opened(connection: Int, as client: ConnectionKey) {
        answered[connection] = 0
        owners[connection] = client
    }

    package mutating func note(_ input: ClientInput, _ session: Int, _ findings: inout Findings) {
        switch input {
        case .closed(let id), .connectFailed(let id, _), .resolveFailed(let id, _):
            release(ConnectionKey(session: session, id: id))
        default: return
        }
    }

    package mutating func note(_ output: ClientOutput, _ session: Int, _ findings: inout Findings) {
        switch output {
        case .resolve(let id, let name, let port):
            let key = ConnectionKey(session: session, id: id)
            if connections[key] != nil {
                findings.add("connection \(id.value) was resolved twice: its number was used again", session: session)
            }
            let host = Host(session: session, name: name, port: port)
            connections[key] = State(host: host, isHeld: false)
            hold(key, &findings)
        case .connect(let id, _):
            let key = ConnectionKey(session: session, id: id)
            // Another address of the same name after one that failed.
            if connections[key]?.isHeld == false { hold(key, &findings) }
        case .write(let id, _), .writeHead(let id, _), .writeFile(let id, _, _, _):
            if connections[ConnectionKey(session: session, id: id)]?.isHeld != true {
                findings.add("bytes were written to connection \(id.value), which is over", session: session)
            }
        case .close(let id): release(ConnectionKey(session: session, id: id))
        default: return
        }
    }

    private mutating func hold(_ key: ConnectionKey, _ findings: inout Findings) {
        guard let host = connections[key]?.host else { return }
        connections[key]?.isHeld = true
        held[host, default: 0] += 1
        if let count = held[host], let limit = limits[key.session], count > limit {
            findings.add(
                "\(count) connections to \(host.name):\(host.port), allowed are \(limit)", session: key.session)
        }
    }

    private mutating func release(_ key: ConnectionKey) {
        guard let state = connections[key], state.isHeld else { return }
        connections[key]?.isHeld = false
        held[state.host, default: 1] -= 1
    }

    package mutating func note(_ event: WireEvent, _ connection: Int, _ findings: inout Findings) {
        switch event {
        case .requestBegan(let exchange, let method, let target):
            guard let done = answered[connection], done < exchange, let owner = owners[connection] else { return }
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
