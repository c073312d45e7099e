/// What a task demands of the path that its requests take (BEHAVIOUR 1.B16).
package struct PathDemands: Hashable, Sendable {
    package var allowsCellular = true
    package var allowsExpensive = true
    package var allowsConstrained = true
    /// Where there is no path, or none that is allowed, the task waits for one.
    package var waits = false

    package init() {}

    package static let none = PathDemands()

    /// Why a request cannot take this path; nil where it can.
    package func obstacle(on path: NetworkPath) -> PathObstacle? {
        if path.interface == nil { return .offline }
        if path.isCellular, !allowsCellular { return .cellular }
        if path.isExpensive, !allowsExpensive { return .expensive }
        if path.isConstrained, !allowsConstrained { return .constrained }
        return nil
    }
}
