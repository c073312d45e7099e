import MachineContract
import ServerScript

/// Something that a run changes besides what the script says: how exploration visits every position
/// (SCENARIO-FORMAT 'Cuts, splits, cancels').
package enum FaultRule: Hashable, Sendable {
    case cut(CutRule)
    case split(SplitRule)
    /// All of those of one connection are made in their order.
    case bend(Bend)
    /// Holds for every file of every session.
    case disk(DiskFault)

    package var isBend: Bool { if case .bend = self { true } else { false } }
}

/// Ends a connection when exactly `offset` bytes have gone from the server to the client.
///
/// Offset 0 cuts when the server first wants to send. The script machine is told `cut`, then `closed`.
package struct CutRule: Hashable, Sendable {
    package enum Effect: String, Hashable, Sendable, CaseIterable { case fin, reset }

    /// Counted from 0 in the order of acceptance, as `PeerID` is.
    package var connection: Int
    package var offset: Int
    package var effect: Effect

    package init(connection: Int, offset: Int, effect: Effect) {
        self.connection = connection
        self.offset = offset
        self.effect = effect
    }
}

/// Bytes before and after `offset` of what the server sends never arrive in one piece.
package struct SplitRule: Hashable, Sendable {
    package var connection: Int
    package var offset: Int

    package init(connection: Int, offset: Int) {
        self.connection = connection
        self.offset = offset
    }
}
