import HTTPBasics
import NIOCore

@testable import ServerScript

extension Reply {
    /// All that goes out for a request without a fault, whatever the time it takes; nil for an answer that never ends,
    /// and for one that is too large to be read here.
    func bytes(to method: String) -> [UInt8]? {
        let request = ReceivedHead(method: method, target: "/")
        let planned = PlannedReply(self)
        let isSmall = (ContentStore().plain(body).map(BodySource.init)?.count ?? .max) <= 64 << 10
        guard isSmall, Interim.count(interim[...]) < 100, faults.isEmpty,
            let prepared = planned.prepare(
                for: request, date: UnixTime(seconds: 0), mustClose: false, store: ContentStore())
        else { return nil }
        var player = ReplyPlayer(prepared, interims: InterimPlayer(interim), faults: PendingFaults([]))
        var bytes: [UInt8] = []
        while let move = player.next(outstanding: 0, limit: 64 << 10), bytes.count < 1 << 20 {
            switch move {
            case .head(let piece, _), .write(let piece): bytes += piece.readableBytesView
            case .wait, .raise, .await, .answered: break
            case .fault, .stall: return nil
            case .finished: return bytes
            }
        }
        return nil
    }
}
