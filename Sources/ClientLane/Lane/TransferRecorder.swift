import Foundation
import HTTPBasics
import Judge
import Locks

/// What an observer learns of a case's transfers. Libraries that tell nothing leave it empty.
package final class TransferRecorder: Sendable {
    private let transfers = Lock<[(task: Int, transfer: Transfer)]>([])

    /// Nil where they are not wanted.
    package init?(for request: CaseRequest) {
        guard request.drawsTransfers == true else { return nil }
    }

    /// More of them are not kept for a case.
    func add(_ transfer: Transfer, task: Int) {
        transfers.withLock { if $0.count < Transfer.most { $0.append((task, transfer)) } }
    }

    /// In the order in which they began, with times that count from `start`, and with the scenario's names.
    func transfers(since start: Instant, of player: ClientLanePlayer) -> [Transfer] {
        let zero = Double(start.nanoseconds) / 1e9
        let all = transfers.withLock({ $0 }).map { entry in
            var transfer = entry.transfer
            transfer.task = player.labels.label(ofIdentifier: entry.task)
            transfer.request = Self.scenarioText(transfer.request, player.origins)
            transfer.start -= zero
            transfer.taskEnd -= zero
            for index in transfer.spans.indices {
                transfer.spans[index].start -= zero
                if let end = transfer.spans[index].end { transfer.spans[index].end = end - zero }
            }
            return transfer
        }
        return all.sorted { ($0.start, $0.task) < ($1.start, $1.task) }
    }

    /// `GET http://127.0.0.1:40123/a` as a scenario writes it.
    private static func scenarioText(_ request: String, _ origins: OriginTable) -> String {
        let words = request.split(separator: " ", maxSplits: 1)
        guard words.count == 2, let url = URL(string: String(words[1])) else { return request }
        return "\(words[0]) \(origins.scenarioText(of: url))"
    }
}
