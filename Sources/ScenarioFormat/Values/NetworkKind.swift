/// The network of a case's machine, as its sessions are told of it.
package enum NetworkKind: String, Hashable, Sendable, CaseIterable {
    case online, offline, cellular, expensive, constrained
}

/// What a session or a request does not go out on.
package enum DeniedNetwork: String, Hashable, Sendable, CaseIterable { case cellular, expensive, constrained }
