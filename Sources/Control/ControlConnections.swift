import NIOCore

/// Those that are open, by age. Touched on the one loop only.
final class ControlConnections: @unchecked Sendable {  // Safety: see above.
    private let most: Int
    private var list: [(patience: ControlPatience, channel: any Channel)] = []

    init(most: Int) { self.most = most }

    /// Where there are too many the oldest that waits for no answer makes room, so that nobody who only holds
    /// connections open keeps others out. False when all wait for one.
    func admit(_ patience: ControlPatience, _ channel: any Channel) -> Bool {
        if list.count >= most {
            guard let index = list.firstIndex(where: { !$0.patience.isAnswering }) else { return false }
            list.remove(at: index).channel.close(promise: nil)
        }
        list.append((patience, channel))
        channel.closeFuture.whenComplete { [self] _ in list.removeAll { $0.channel === channel } }
        return true
    }
}
