import HTTPBasics

/// How a server is reached: what goes over one connection of a route may go over each of them.
package struct ConnectionRoute: Hashable, Sendable {
    package let origin: Origin
    /// Whose delegate decides about trust: the task's own one, by its number in the session; nil is the session's. What
    /// one of them accepts is not shared with tasks that would ask another one (BEHAVIOUR 2.B3-scope).
    package let trustScope: Int?

    package init(to origin: Origin, trustScope: Int? = nil) {
        self.origin = origin
        // What goes in clear is decided by none.
        self.trustScope = origin.isSecure ? trustScope : nil
    }

    /// Connections are secured before they are used.
    package var isSecure: Bool { origin.isSecure }
}
