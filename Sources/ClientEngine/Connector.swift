import ClientMachines

/// Makes a session's connections in the place of the system: hosts have the names and addresses that it gives them.
package protocol Connector: Resolver {
    /// On the session's loop, at once.
    ///
    /// - Parameter address: One that it has given for a name.
    func connect(to address: NetworkAddress) -> ConnectorAnswer
}

/// What became of a connection attempt.
package enum ConnectorAnswer: Sendable {
    /// This end of a stream is the connection, and belongs to the session; `ended` is to be called when it is closed.
    case connected(descriptor: CInt, ended: @Sendable () -> Void)
    /// In the system's numbers.
    case failed(errorNumber: Int32)
    /// Nobody will ever answer.
    case silent
}
