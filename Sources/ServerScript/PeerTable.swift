/// Values by connection, in the order of acceptance.
///
/// A sorted list, because it is walked in an order that is always the same, and because a number is found in it sooner
/// than it is hashed. Inlinable, so that each owner gets one that is made for its values.
@usableFromInline
package struct PeerTable<Value> {
    @usableFromInline var peers: [PeerID] = []
    @usableFromInline package internal(set) var values: [Value] = []

    @inlinable
    package init() {}

    @inlinable package var count: Int { peers.count }

    @inlinable
    package subscript(peer: PeerID) -> Value? {
        let index = position(of: peer)
        return index < peers.count && peers[index] == peer ? values[index] : nil
    }

    @inlinable
    package mutating func insert(_ value: Value, for peer: PeerID) {
        let index = position(of: peer)
        peers.insert(peer, at: index)
        values.insert(value, at: index)
    }

    @inlinable
    package mutating func remove(_ peer: PeerID) {
        let index = position(of: peer)
        guard index < peers.count, peers[index] == peer else { return }
        peers.remove(at: index)
        values.remove(at: index)
    }

    @inlinable
    func position(of peer: PeerID) -> Int {
        var low = 0
        var high = peers.count
        while low < high {
            let middle = (low + high) / 2
            if peers[middle] < peer { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
