/// The way that the machine has into networks beyond itself, as its world tells it.
package struct NetworkPath: Hashable, Sendable {
    /// Through which it leads; nil where there is none.
    package var interface: String?
    /// It leads through a cellular network.
    package var isCellular: Bool
    /// It costs much, as a hotspot of a phone does.
    package var isExpensive: Bool
    /// Its user wants little of it used.
    package var isConstrained: Bool

    package init(
        through interface: String?, isCellular: Bool = false, isExpensive: Bool = false, isConstrained: Bool = false
    ) {
        self.interface = interface
        self.isCellular = isCellular
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
    }

    package static let offline = NetworkPath(through: nil)
}

/// Why a path cannot be taken.
package enum PathObstacle: Hashable, Sendable { case offline, cellular, expensive, constrained }
