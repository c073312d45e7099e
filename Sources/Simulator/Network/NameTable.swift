import ClientMachines
import HTTPBasics
import ServerScript

/// What the simulated resolver knows, and what is found at the addresses. Names are compared without case.
package struct NameTable: Sendable {
    package enum Answer: Hashable, Sendable {
        case addresses([String])
        case unknown(detail: String)
        /// The resolver never answers.
        case silence
    }

    package enum Reachability: Hashable, Sendable {
        /// A listener of the script, by host name.
        case listener(host: String)
        /// The attempt fails, after one round trip.
        case failure(ConnectFailure)
        /// Nothing ever answers.
        case silence
    }

    private var names: [String: Answer] = [:]
    private var places: [NetworkAddress: Reachability] = [:]

    package init() {}

    /// Every script host gets an address of its own, and listens there at port 80 unless it has a fault at `listen`.
    package init(listeners hosts: [String], faults: [String: Fault] = [:]) {
        for (index, host) in hosts.enumerated() {
            let address = "127.0.0.\(index + 1)"
            setAnswer(.addresses([address]), for: host)
            let reachability: Reachability =
                switch faults[host]?.effect {
                case .reset: .failure(.refused)
                case .stall: .silence
                default: .listener(host: host)
                }
            setReachability(reachability, at: NetworkAddress(text: address, port: 80))
        }
    }

    package mutating func setAnswer(_ answer: Answer, for name: String) { names[name.lowercased()] = answer }

    package mutating func setReachability(_ reachability: Reachability, at address: NetworkAddress) {
        places[address] = reachability
    }

    /// What was set in `other` wins.
    package mutating func merge(_ other: NameTable) {
        names.merge(other.names) { _, new in new }
        places.merge(other.places) { _, new in new }
    }

    /// Address literals stand for themselves.
    func answer(for name: String) -> Answer {
        if let answer = names[name.lowercased()] { return answer }
        let isLiteral = name.contains(":") || !name.isEmpty && name.utf8.allSatisfy { ASCII.isDigit($0) || $0 == 46 }
        return isLiteral ? .addresses([name]) : .unknown(detail: "no such host: \(name)")
    }

    /// Where nobody was put, nobody listens.
    func reachability(of address: NetworkAddress) -> Reachability { places[address] ?? .failure(.refused) }
}
