/// What the limit of connections to one origin counts. Routes to it differ by who decides about trust; they share its
/// places (BEHAVIOUR 2.F1-scopes).
final class OriginPlaces {
    /// Connections and dials of all its routes.
    var open = 0
    /// Those that something is known of; the one that began a dial last is the last.
    private(set) var routes: [ConnectionRoute] = []

    func join(_ route: ConnectionRoute) { routes.append(route) }

    func leave(_ route: ConnectionRoute) { routes.removeAll { $0 == route } }

    func dialled(_ route: ConnectionRoute) {
        guard routes.count > 1 else { return }
        leave(route)
        join(route)
    }
}
