import HTTPBasics
import MachineContract
import NIOCore
import TLSBasics

/// A connection that the server has accepted, counted from 0 in the order of acceptance.
@usableFromInline
package struct PeerID: Hashable, Comparable, Sendable {
    @usableFromInline package let value: Int
    package init(_ value: Int) { self.value = value }
    @inlinable
    package static func < (left: PeerID, right: PeerID) -> Bool { left.value < right.value }
}

/// Everything that can happen to a script machine.
package enum ScriptInput: MachineInput {
    /// - Parameter from: The client's IP address, where the script's improviser may ask for it.
    case accepted(PeerID, host: String, from: String? = nil)
    case received(PeerID, ByteBuffer)
    /// The client has finished sending (FIN).
    case inputClosed(PeerID)
    /// The connection could not be secured, or is not secure any more: why. Its end follows.
    indirect case secureFailed(PeerID, TLSFailure)
    /// A fault of TLS could not be done, or its place was never reached: what the verdict says of it.
    indirect case unstruck(PeerID, String)
    /// What a fault of the connection's handshake does.
    case handshake(PeerID, HandshakeNews)
    /// The connection is gone, by either end.
    case closed(PeerID)
    /// The transport took this many bytes; large bodies are generated only as fast as this.
    case wrote(PeerID, bytes: Int)
    /// Exploration cut this connection when `sent` bytes of all that was written had left. If nothing of its last
    /// answer was among them, that exchange may be asked for once more; and from now on any connection may go on with
    /// any lane. Only the simulator's explorer sends it (SCENARIO-FORMAT 'Cuts, splits, cancels').
    case cut(PeerID, sent: Int)
    /// The client side reached a point that the script may await.
    case signal(String)
    /// The user of the server gives the round up.
    case endRound
    /// The user of a shared server wants something of one scope, or of all of them.
    indirect case order(ScriptOrder, scope: String?)
    case timePassed
}

/// Everything that a script machine can want from its world.
package enum ScriptOutput: Equatable, Sendable {
    /// Bytes leave when the world's loop has been through all that came in: signals and journal entries of the same
    /// moment are there before them.
    case write(PeerID, ByteBuffer)
    /// The same, to leave in one piece with what follows: heads.
    case writeAhead(PeerID, ByteBuffer)
    /// FIN after what was written; reading goes on.
    case closeOutput(PeerID)
    /// Close both directions after what was written. Unread input is discarded without a reset.
    ///
    /// - Parameter isAnnounced: Whether TLS, where it is spoken, says so first.
    case close(PeerID, isAnnounced: Bool = true)
    /// Behind what was written, where TLS is spoken.
    ///
    /// - Parameter ofProxy: To the TLS of the proxy, within which that of the host lies.
    case strike(PeerID, RecordFault, ofProxy: Bool)
    /// The host's fault strikes while this connection, which was just accepted, is secured.
    case spoilHandshake(PeerID)
    /// What follows what was written is that host's TLS; so is what the client has sent already. It lies within the
    /// proxy's, if that speaks TLS.
    ///
    /// - Parameter isSpoilt: Whether the host's fault strikes.
    indirect case secure(PeerID, host: String, early: ByteBuffer, isSpoilt: Bool = false)
    /// RST now: unsent bytes are dropped.
    case reset(PeerID)
    case setReading(PeerID, Bool)
    /// The script reached a point that the client side may await.
    case signal(String)
    case journal(ServerEvent)
    /// There is a named scope from here on, or none any more: its round is then over, or nobody has begun with it.
    indirect case scope(String, ScopeNews)
}

/// What the user of a shared server may want.
package enum ScriptOrder: Hashable, Sendable {
    /// The other half of `await:`.
    case signal(String)
    /// The script begins anew, and what came before is forgotten. What is under way ends by the script that it began
    /// with, and counts for nobody.
    case reset
    /// The same with another script, of the same hosts.
    ///
    /// - Parameter ticket: Loads are numbered as they begin, from 1; it may take long until they get here. One that
    ///   began before the load that is in place changes nothing. Without one it is the newest.
    indirect case replace(Script, ticket: Int? = nil)
    /// Requests are still read, up to the end of their heads; nothing is answered.
    case freeze
    case letGo
}

package enum ScopeNews: Hashable, Sendable { case opened, forgotten }
