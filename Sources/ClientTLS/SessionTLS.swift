import ClientMachines
import DequeModule
import NIOCore
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

    /// How many sessions of TLS are kept of a peer, and of how many peers.
    private static let mostTickets = 4
    private static let mostPeers = 64

    let store: TrustStore
    private let versions: ClosedRange<TLSVersion>
    private let surroundings: Surroundings
    /// Made with the first connection that needs it: most tests and many programs never do.
    private var context: TLSClientContext?
    /// The newest last. A peer is one with the trust that a session was accepted with, so none leads around a refusal
    /// (BEHAVIOUR 2.A7-tickets).
    private var tickets: [SecuredPeer: [TLSSession]] = [:]
    /// The one that was kept last is the last.
    private var peers: Deque<SecuredPeer> = []
    /// Counts how often something was forgotten: what an older connection brings later is not kept.
    private var generation = 0

    package init(_ settings: ClientSettings, _ surroundings: Surroundings) {
        versions = settings.tlsVersions
        store = surroundings.store
        self.surroundings = surroundings
    }

    /// The layer of one connection, which has its first flight ready; or why there can be none.
    ///
    /// - Parameters:
    ///   - unread: what has come of the peer already.
    ///   - outer: the layer that the connection has already: this one goes through it.
    package func secure(
        _ id: ConnectionID, with peer: SecuredPeer, unread: ByteBuffer = ByteBuffer(), within outer: ConnectionTLS?
    ) -> Result<ConnectionTLS, SecureFailure> {
        do throws(TLSSetupError) {
            let ticket = takeTicket(for: peer)
            let end = try TLSConnection(client: ready(), host: peer.origin.host, resuming: ticket)
            end.start()
            if unread.readableBytes > 0 { end.receive(unread) }
            return .success(ConnectionTLS(id, peer, end, ticket, within: outer, of: self, generation))
        } catch {
            let failure = TLSFailure(.broken(.internalError), .notRequested, error.description)
            return .failure(SecureFailure(failure, proxy: peer.proxy))
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
    private func takeTicket(for peer: SecuredPeer) -> TLSSession? { tickets[peer]?.popLast() }

    func keep(_ ticket: TLSSession, for peer: SecuredPeer, of generation: Int) {
        guard generation == self.generation else { return }
        peers.removeAll { $0 == peer }
        peers.append(peer)
        if peers.count > Self.mostPeers { tickets[peers.removeFirst()] = nil }
        tickets[peer, default: []].append(ticket)
        if let count = tickets[peer]?.count, count > Self.mostTickets { tickets[peer]?.removeFirst() }
    }

    /// Whatever connects from now on begins anew: with one peer that was refused, or with all (BEHAVIOUR 1.H1-tickets).
    /// What connections bring later that are there now is not kept.
    package func forgetTickets(of peer: SecuredPeer?) {
        generation += 1
        if let peer {
            peers.removeAll { $0 == peer }
            tickets[peer] = nil
        } else {
            tickets = [:]
            peers = []
        }
    }
}
