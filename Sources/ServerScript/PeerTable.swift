/// Values by connection, in the order of acceptance.
///
/// A sorted list, because it is walked in an order that is always the same, and because a number is found in it sooner
/// than it is hashed, among ten thousand at least. Inlinable, so that each owner gets one that is made for its values.
@usableFromInline
package struct PeerTable<Value> {
    @usableFromInline var peers: [PeerID] = []
    @usableFromInline package internal(set) var values: [Value] = []

    @inlinable
    package init() {}

    @inlinable package var count: Int { peers.count }

    @inlinable
    package subscript(peer: PeerID) -> Value? {
        let index = peers.sortedPosition(of: peer)
        return index < peers.count && peers[index] == peer ? values[index] : nil
    }

    /// In the place of the one that is there.
    @inlinable
    package mutating func insert(_ value: Value, for peer: PeerID) {
        let index = peers.sortedPosition(of: peer)
        if index < peers.count, peers[index] == peer {
            values[index] = value
            return
        }
        peers.insert(peer, at: index)
        values.insert(value, at: index)
    }

    @inlinable
    package mutating func remove(_ peer: PeerID) {
        let index = peers.sortedPosition(of: peer)
        guard index < peers.count, peers[index] == peer else { return }
        peers.remove(at: index)
        values.remove(at: index)
    }
}
