import ClientMachines

/// Tells how other machines can be reached.
package protocol NetworkPaths: Sendable {
    /// Tells it soon, and whenever it changes, from any thread, until what is returned is let go.
    func watch(_ news: @escaping @Sendable (NetworkPath) -> Void) -> any Sendable
}
