/// What the limit of connections to one origin counts. Routes to it differ by who decides about trust; they share its
/// places (BEHAVIOUR 2.F1-scopes).
final class OriginPlaces {
    /// Connections and dials of all its routes.
    var open = 0
    /// Those of them that carry no exchange, and may make room for another.
    var idle = 0
    /// The route that began a dial last is the last.
    private(set) var queues: [RouteQueue] = []

    var areShared: Bool { queues.count > 1 }

    func join(_ queue: RouteQueue) { queues.append(queue) }

    func leave(_ queue: RouteQueue) { queues.removeAll { $0 === queue } }

    func dialled(_ queue: RouteQueue) {
        guard areShared else { return }
        leave(queue)
        join(queue)
    }
}
