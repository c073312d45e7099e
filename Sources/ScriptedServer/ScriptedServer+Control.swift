import NIOCore
import ServerScript

/// How one scope of a shared server stands.
package struct ScopeSummary: Sendable {
    /// Empty for the one of requests that name none.
    package let name: String
    package let requestCount: Int
    package let violationCount: Int
    package let isUnderWay: Bool
    package let isExhausted: Bool
    package let isFrozen: Bool
}

/// What a control interface asks and wants of a server that is shared. Nil for a scope is for all of them, where it may
/// be nil.
extension ScriptedServer {
    /// Returns false if there was no room for a scope of that name.
    package func order(_ order: ScriptOrder, in scope: String?) async throws -> Bool {
        try await onLoop { $0.order(order, in: scope) }
    }

    package func scopes() async throws -> [ScopeSummary] { try await onLoop { $0.scopes() } }

    /// Nil for a scope that there is not.
    package func verdict(of scope: String) async throws -> Verdict? { try await onLoop { $0.verdict(of: scope) } }

    /// Nil for a scope that there is not.
    package func journal(of scope: String) async throws -> [ServerEvent]? {
        try await onLoop { $0.record(of: scope)?.snapshot.events }
    }

    /// Waits until the scope's round has had `count` such entries, those among them that came before.
    package func waitForEvent(
        _ count: Int, in scope: String, atMost span: Duration,
        where matches: @escaping @Sendable (ServerEvent) -> Bool
    ) async throws -> EventWait {
        try await afterLoop { world, loop in
            let promise = loop.makePromise(of: EventWait.self)
            world.watch(EventWatch(count, in: scope, promise, where: matches), atMost: TimeAmount(span))
            return promise.futureResult
        }
    }

    /// Why another script cannot take this one's place while the server runs; nil if it can. Listening sockets, their
    /// certificates and what they do before a request stay as they are.
    package func objection(to script: Script, at scope: String? = nil) -> String? {
        if let scope, scope.utf8.first == UInt8(ascii: "/") { return ScriptMount.objection(to: script) }
        if script.hosts != self.script.hosts {
            return
                "its hosts are \(script.hosts.joined(separator: ", ")), not \(self.script.hosts.joined(separator: ", "))"
        }
        if script.tls != self.script.tls { return "the TLS of its hosts is another" }
        if script.proxies != self.script.proxies { return "its proxies are others" }
        if script.listenFaults != self.script.listenFaults { return "its faults at listen are others" }
        return nil
    }
}
