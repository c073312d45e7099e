import HTTPBasics

/// How a server is reached: what goes over one connection of a route may go over each of them.
package struct ConnectionRoute: Hashable, Sendable {
    package let origin: Origin

    package init(to origin: Origin) { self.origin = origin }
}
