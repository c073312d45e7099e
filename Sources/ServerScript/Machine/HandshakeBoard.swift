/// Which handshakes of a round go wrong on purpose, and which still have to.
struct HandshakeBoard {
    /// By host: only of those that have one.
    private let faults: [String: HandshakeFault]
    /// How many connections to each of these hosts began to be secured.
    private var begun: [String: Int] = [:]
    /// Hosts where the fault of one connection has struck.
    private var struck: Set<String> = []
    /// Exploration has cut a connection: which ones come is not the script's to say.
    private var isCut = false

    init(_ script: Script) { faults = script.tls.compactMapValues(\.fault) }

    /// A connection to this host is about to be secured: whether its fault is to strike there.
    mutating func begin(_ host: String) -> Bool {
        guard let fault = faults[host] else { return false }
        let number = begun[host, default: 0] + 1
        begun[host] = number
        return fault.connection ?? number == number
    }

    /// The fault has struck, or it was told that it could not.
    mutating func strike(_ host: String) { struck.insert(host) }

    mutating func cut() { isCut = true }

    /// Faults of one connection that has not come, or did not come as far as that. One of each connection strikes
    /// those that there are.
    func owed(_ hosts: [String]) -> [OwedHandshake] {
        guard !faults.isEmpty, !isCut else { return [] }
        return hosts.compactMap { host in
            guard let fault = faults[host], let number = fault.connection, !struck.contains(host) else { return nil }
            return OwedHandshake(host: host, connection: number, begun: begun[host, default: 0], mark: fault.mark)
        }
    }
}

/// A fault of one connection's handshake that has not struck.
package struct OwedHandshake: Hashable, Sendable, CustomStringConvertible {
    package let host: String
    package let connection: Int
    /// How many connections to the host came.
    package let begun: Int
    package let mark: SourceMark?

    package var description: String {
        let place = mark.map { " (\($0))" } ?? ""
        return "the fault in the handshake of connection \(connection) to \(host), to which \(begun) came\(place)"
    }
}
