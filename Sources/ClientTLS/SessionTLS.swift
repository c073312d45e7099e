import ClientMachines
import DequeModule
import TLSBasics
import TLSEngine

/// What the connections of one session share of TLS: what they offer, whom they trust, and which sessions of TLS they
/// can go on with. The same file in both worlds. Confined to the session's thread.
package final class SessionTLS {
    /// Whom a session trusts, where its randomness comes from, and who may read along.
    package struct Surroundings: Sendable {
        package var library: TLSLibrary
        package var store: TrustStore
        /// Takes the secrets of each connection, in NSS's format, for a program that decrypts a recording.
        package var keyLog: (@Sendable (String) -> Void)?

        package init(library: TLSLibrary, store: TrustStore, keyLog: (@Sendable (String) -> Void)? = nil) {
            self.library = library
            self.store = store
            self.keyLog = keyLog
        }
    }

    /// How many sessions of TLS are kept for a route, and for how many routes.
    private static let mostTickets = 4
    private static let mostRoutes = 64

    let store: TrustStore
    private let versions: ClosedRange<TLSVersion>
    private let surroundings: Surroundings
    /// Made with the first connection that needs it: most tests and many programs never do.
    private var context: TLSClientContext?
    /// The newest last. A route names the trust that a session was accepted with, so none leads around a refusal
    /// (BEHAVIOUR 2.A7-tickets).
    private var tickets: [ConnectionRoute: [TLSSession]] = [:]
    /// The one that was kept last is the last.
    private var routes: Deque<ConnectionRoute> = []
    /// Counts how often something was forgotten: what an older connection brings later is not kept.
    private var generation = 0

    package init(_ settings: ClientSettings, _ surroundings: Surroundings) {
        versions = settings.tlsVersions
        store = surroundings.store
        self.surroundings = surroundings
    }

    /// The layer of one connection, which has its first flight ready; or why there can be none.
    package func secure(_ id: ConnectionID, _ route: ConnectionRoute) -> Result<ConnectionTLS, SecureFailure> {
        do throws(TLSSetupError) {
            let ticket = takeTicket(for: route)
            let end = try TLSConnection(client: ready(), host: route.origin.host, resuming: ticket)
            end.start()
            return .success(ConnectionTLS(id, route, end, ticket, of: self, generation))
        } catch {
            return .failure(SecureFailure(TLSFailure(.broken(.internalError), .notRequested, error.description)))
        }
    }

    private func ready() throws(TLSSetupError) -> TLSClientContext {
        if let context { return context }
        let made = try TLSClientContext(
            library: surroundings.library, versions: versions, applicationProtocols: ["http/1.1"],
            keyLog: surroundings.keyLog)
        context = made
        return made
    }

    /// One that may be used again comes back when it has led to a secured connection (RFC 5246 7.2.2).
    private func takeTicket(for route: ConnectionRoute) -> TLSSession? { tickets[route]?.popLast() }

    func keep(_ ticket: TLSSession, for route: ConnectionRoute, of generation: Int) {
        guard generation == self.generation else { return }
        routes.removeAll { $0 == route }
        routes.append(route)
        if routes.count > Self.mostRoutes { tickets[routes.removeFirst()] = nil }
        tickets[route, default: []].append(ticket)
        if let count = tickets[route]?.count, count > Self.mostTickets { tickets[route]?.removeFirst() }
    }

    /// Whatever connects from now on begins anew: to one server that was refused, or to all (BEHAVIOUR 1.H1-tickets).
    /// What connections bring later that are there now is not kept.
    package func forgetTickets(of route: ConnectionRoute?) {
        generation += 1
        if let route {
            routes.removeAll { $0 == route }
            tickets[route] = nil
        } else {
            tickets = [:]
            routes = []
        }
    }
}
