/// Connections that are being made, each with the dial that makes it; gives them their numbers.
package struct ConnectionAttempts {
    private var last = 0
    private var dials: [ConnectionID: DialID] = [:]

    package init() {}

    package var count: Int { dials.count }

    mutating func begin(for dial: DialID) -> ConnectionID {
        last += 1
        let id = ConnectionID(last)
        dials[id] = dial
        return id
    }

    /// The attempt has succeeded, and the connection is not ready yet.
    mutating func goOn(_ id: ConnectionID, for dial: DialID) { dials[id] = dial }

    mutating func end(_ id: ConnectionID) { dials[id] = nil }

    /// Nil for a connection that is open, or was given up.
    package subscript(id: ConnectionID) -> DialID? { dials[id] }
}
