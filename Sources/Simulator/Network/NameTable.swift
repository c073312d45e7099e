import ClientMachines
import HTTPBasics
import ServerScript

/// What the simulated resolver knows, and what is found at the addresses. Names are compared without case.
package struct NameTable: Sendable {
    package enum Answer: Hashable, Sendable {
        /// At least one.
        case addresses([String])
        case unknown(detail: String)
        /// The resolver never answers.
        case silence
    }

    package enum Reachability: Hashable, Sendable {
        /// A listener of the script, by host name; it takes so much longer than usual.
        case listener(host: String, after: Duration = .zero)
        /// The attempt fails, after one round trip.
        case failure(ConnectFailure)
        /// Nothing ever answers.
        case silence
    }

    private struct Name: Hashable {
        var host: String
        var family: AddressFamily
    }

    private var names: [Name: (answer: Answer, delay: Duration)] = [:]
    private var places: [NetworkAddress: Reachability] = [:]

    package init() {}

    /// Every script host gets an address of its own, and listens there at its scheme's port unless it has a fault at
    /// `listen`.
    package init(listenersOf script: Script) {
        for (index, host) in script.hosts.enumerated() {
            let address = "127.0.0.\(index + 1)"
            setAnswer(.addresses([address]), for: host)
            let reachability: Reachability =
                switch script.listenFaults[host]?.effect {
                case .reset: .failure(.refused)
                case .stall: .silence
                default: .listener(host: host)
                }
            setReachability(
                reachability,
                at: NetworkAddress(text: address, port: Origin.defaultPort(of: script.scheme(of: host)) ?? 80))
        }
    }

    /// For both families; each takes its own addresses.
    package mutating func setAnswer(_ answer: Answer, for name: String) {
        for family in AddressFamily.allCases { setAnswer(answer, for: name, family) }
    }

    /// - Parameter delay: How much longer than usual the answer takes.
    package mutating func setAnswer(
        _ answer: Answer, for name: String, _ family: AddressFamily, after delay: Duration = .zero
    ) {
        names[Name(host: name.lowercased(), family: family)] = (answer.only(family, of: name), delay)
    }

    package mutating func setReachability(_ reachability: Reachability, at address: NetworkAddress) {
        places[address] = reachability
    }

    /// What was set in `other` wins.
    package mutating func merge(_ other: NameTable) {
        names.merge(other.names) { _, new in new }
        places.merge(other.places) { _, new in new }
    }

    /// Address literals stand for themselves.
    func answer(for name: String, _ family: AddressFamily) -> (answer: Answer, delay: Duration) {
        if let known = names[Name(host: name.lowercased(), family: family)] { return known }
        let isLiteral = name.contains(":") || !name.isEmpty && name.utf8.allSatisfy { ASCII.isDigit($0) || $0 == 46 }
        let answer = isLiteral ? Answer.addresses([name]) : .unknown(detail: "no such host: \(name)")
        return (answer.only(family, of: name), .zero)
    }

    /// An address that was not set has no listener.
    func reachability(of address: NetworkAddress) -> Reachability { places[address] ?? .failure(.refused) }
}

extension NameTable.Answer {
    fileprivate func only(_ family: AddressFamily, of name: String) -> NameTable.Answer {
        guard case .addresses(let texts) = self else { return self }
        let own = texts.filter { $0.contains(":") == (family == .v6) }
        return own.isEmpty ? .unknown(detail: "no address of this family: \(name)") : .addresses(own)
    }
}
