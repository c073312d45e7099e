#if !canImport(Darwin)
/// What the sessions of a configuration reach in the place of the system's network.
package protocol SessionNetwork: AnyObject, Sendable {
    /// For one session.
    func makeWorld() -> SessionWorld
}

extension URLSessionConfiguration {
    /// Nil for the system's network. Copied with the configuration.
    package final var network: (any SessionNetwork)? {
        get { values.network }
        set { values.network = newValue }
    }
}
#endif
