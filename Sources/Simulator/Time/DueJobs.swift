import DequeModule

/// Jobs that are due: a queue for each actor, and who has waited how long.
struct DueJobs {
    typealias Job = () -> Void

    private struct Entry {
        var stamp: UInt64
        var job: Job
    }

    private var queues: [Deque<Entry>] = []
    /// For each queue the stamp of its first job: the least has waited longest. `.max` for a queue without one.
    private var firsts: [UInt64] = []
    private var stamp: UInt64 = 0
    private(set) var count = 0

    mutating func append(_ job: @escaping Job, of actor: Int) {
        while queues.count <= actor {
            queues.append([])
            firsts.append(.max)
        }
        stamp += 1
        firsts[actor] = min(firsts[actor], stamp)
        queues[actor].append(Entry(stamp: stamp, job: job))
        count += 1
    }

    /// How many actors have something to do.
    var candidates: Int { firsts.count { $0 != .max } }

    /// Counted from 0, the actor that has waited longest; the last one if there are fewer, -1 when there is none.
    func actor(atRank rank: Int) -> Int {
        var chosen = longestWaiting(behind: 0)
        for _ in 0..<max(0, rank) {
            let next = longestWaiting(behind: firsts[chosen])
            if next < 0 { break }
            chosen = next
        }
        return chosen
    }

    mutating func takeFirst(of actor: Int) -> Job? {
        guard queues.indices.contains(actor), let next = queues[actor].popFirst() else { return nil }
        firsts[actor] = queues[actor].first?.stamp ?? .max
        count -= 1
        return next.job
    }

    /// The actor whose first job has waited longest, of those whose job came later than `stamp`; -1 without one.
    private func longestWaiting(behind stamp: UInt64) -> Int {
        var chosen = -1
        var oldest = UInt64.max
        for index in firsts.indices where firsts[index] > stamp && firsts[index] < oldest {
            oldest = firsts[index]
            chosen = index
        }
        return chosen
    }
}
