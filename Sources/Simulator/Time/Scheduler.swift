import DequeModule
import Glibc
import HTTPBasics
import HeapModule
import Locks
import Synchronization

/// The world's heart: actors with queues of jobs, one thread, virtual time.
///
/// Each step runs the first due job of one actor. When nothing is due the clock jumps to the next job or deadline.
/// In the plain order the actor whose job became due first goes first; a schedule may choose any that has a due job.
/// Either way a run is repeatable.
package final class Scheduler {
    package typealias Job = () -> Void

    package private(set) var clock: VirtualClock
    /// Steps of all runs so far.
    package private(set) var steps = 0
    /// Called, on the world's thread, when a job came from a foreign thread: nothing in a simulation may do that.
    var onStray: ((SimulatedActor) -> Void)?

    private let turns: Decisions
    private var queues: [ActorQueue] = []
    /// For each queue the number of its first due job: the least has waited longest. `.max` for a queue without one.
    private var waiting: [UInt64] = []
    private var later = Heap<TimedJob>()
    private var sequence: UInt64 = 0
    private var readyCount = 0
    private var isOver = false
    private let strays = StrayJobs()
    /// A job between two steps, whoever's turn it is.
    private var intrusion: (step: Int, job: Job)?

    init(clock: VirtualClock = VirtualClock(), turns: Decisions = Decisions(.turn)) {
        self.clock = clock
        self.turns = turns
        growQueues(to: SimulatedActor.delegateQueue(0).index)
    }

    package var now: Instant { clock.now }

    package func setDate(_ date: UnixTime) { clock.setDate(date) }

    /// Puts a job behind everything that the actor has to do at or before that time. World's thread only.
    package func schedule(on actor: SimulatedActor, after delay: Duration = .zero, _ job: @escaping Job) {
        guard !isOver else { return }
        growQueues(to: actor.index)
        if delay <= .zero { return enqueue(job, at: actor.index) }
        sequence += 1
        later.insert(TimedJob(due: clock.now + delay, sequence: sequence, queue: actor.index, job: job))
    }

    /// The door for whoever cannot prove on which thread it runs. A job from elsewhere is run, and reported.
    package func post(on actor: SimulatedActor, after delay: Duration = .zero, _ job: @escaping @Sendable () -> Void) {
        if strays.isWorldThread { return schedule(on: actor, after: delay, job) }
        strays.append(actor, job)
    }

    /// Only this thread may touch the world; the one that built it, until another runs it.
    var isWorldThread: Bool { strays.isWorldThread }
    func adoptCurrentThread() { strays.adoptThread() }

    /// Gives an actor its one timer: `wake` runs as a job of the actor when the time set by `setTimer` has come.
    func onTimer(of actor: SimulatedActor, _ wake: @escaping Job) {
        growQueues(to: actor.index)
        let index = actor.index
        queues[index].wake = { [unowned self] in
            queues[index].isWakeQueued = false
            wake()
        }
    }

    /// Replaces the actor's deadline. No stale wake-up remains, so time never jumps for nothing.
    func setTimer(of actor: SimulatedActor, to deadline: Instant?) {
        let index = actor.index
        queues[index].deadline = deadline
        if let deadline, deadline <= clock.now { queueWake(at: index) }
    }

    func timer(of actor: SimulatedActor) -> Instant? { queues[actor.index].deadline }

    /// Runs until nothing is left, or until a bound is reached; may be called again. Jobs after `end` stay.
    package func run(until end: Instant, stepLimit: Int) -> RunEnd {
        strays.adoptThread()
        let bound = steps + stepLimit
        while true {
            adoptStrays()
            if readyCount == 0 {
                guard let next = nextDue() else { return .idle }
                if next > end {
                    clock.advance(to: end)
                    return .outOfTime
                }
                clock.advance(to: next)
                queueWhatIsDue()
                continue
            }
            if steps >= bound { return .outOfSteps }
            if let intrusion, intrusion.step <= steps {
                self.intrusion = nil
                intrusion.job()
                continue
            }
            steps += 1
            takeNext()?()
        }
    }

    /// What another thread does when so many steps have been made: it waits for no turn.
    func intrude(behind step: Int, _ job: @escaping Job) { intrusion = (step, job) }

    /// Drops every job, so that the closures' owners can go. Whatever is scheduled later is dropped as well.
    func shutDown() {
        isOver = true
        queues.removeAll()
        waiting.removeAll()
        later = Heap()
        intrusion = nil
        readyCount = 0
        onStray = nil
    }
}

// MARK: - Queues

extension Scheduler {
    private struct ReadyJob {
        var stamp: UInt64
        var job: Job
    }

    private struct ActorQueue {
        var ready: Deque<ReadyJob> = []
        var deadline: Instant?
        var wake: Job?
        var isWakeQueued = false
    }

    private struct TimedJob: Comparable {
        var due: Instant
        var sequence: UInt64
        var queue: Int
        var job: Job

        static func < (left: TimedJob, right: TimedJob) -> Bool {
            left.due == right.due ? left.sequence < right.sequence : left.due < right.due
        }

        static func == (left: TimedJob, right: TimedJob) -> Bool { left.sequence == right.sequence }
    }

    private func growQueues(to index: Int) {
        while queues.count <= index {
            queues.append(ActorQueue())
            waiting.append(.max)
        }
    }

    private func enqueue(_ job: @escaping Job, at index: Int) {
        sequence += 1
        waiting[index] = min(waiting[index], sequence)
        queues[index].ready.append(ReadyJob(stamp: sequence, job: job))
        readyCount += 1
    }

    private func queueWake(at index: Int) {
        guard let wake = queues[index].wake else { return }
        queues[index].deadline = nil
        guard !queues[index].isWakeQueued else { return }
        queues[index].isWakeQueued = true
        enqueue(wake, at: index)
    }

    private func nextDue() -> Instant? {
        var next = later.min?.due
        for index in queues.indices {
            guard let deadline = queues[index].deadline, queues[index].wake != nil else { continue }
            next = min(next ?? deadline, deadline)
        }
        return next
    }

    private func queueWhatIsDue() {
        while let first = later.min, first.due <= clock.now {
            let timed = later.removeMin()
            enqueue(timed.job, at: timed.queue)
        }
        for index in queues.indices {
            if let deadline = queues[index].deadline, deadline <= clock.now { queueWake(at: index) }
        }
    }

    private func takeNext() -> Job? {
        var chosen = longestWaiting(behind: 0)
        let candidates = waiting.count { $0 != .max }
        if candidates > 1 {
            let first = chosen
            let rank = turns.next(at: clock.now) {
                $0.below(candidates)
            } note: {
                "\(SimulatedActor(index: nthWaiting($0))) goes before \(SimulatedActor(index: first))"
            }
            if rank > 0 { chosen = nthWaiting(rank) }
        }
        guard chosen >= 0, let next = queues[chosen].ready.popFirst() else { return nil }
        waiting[chosen] = queues[chosen].ready.first?.stamp ?? .max
        readyCount -= 1
        return next.job
    }

    /// The queue whose first job has waited longest, of those whose job came later than `stamp`; -1 without one.
    private func longestWaiting(behind stamp: UInt64) -> Int {
        var chosen = -1
        var oldest = UInt64.max
        for index in waiting.indices where waiting[index] > stamp && waiting[index] < oldest {
            oldest = waiting[index]
            chosen = index
        }
        return chosen
    }

    /// Counted from 0, the one that has waited longest; the last one if there are fewer.
    private func nthWaiting(_ rank: Int) -> Int {
        var chosen = longestWaiting(behind: 0)
        for _ in 0..<max(0, rank) {
            let next = longestWaiting(behind: waiting[chosen])
            if next < 0 { break }
            chosen = next
        }
        return chosen
    }

    private func adoptStrays() {
        guard strays.isPending else { return }
        for (actor, job) in strays.takeAll() {
            onStray?(actor)
            schedule(on: actor, job)
        }
    }
}

/// Jobs that foreign threads handed in: a broken rule, but neither a data race nor a lost task.
private final class StrayJobs: Sendable {
    private let thread = Atomic<UInt>(UInt(pthread_self()))
    private let count = Atomic<Int>(0)
    private let jobs = Lock<[(SimulatedActor, @Sendable () -> Void)]>([])

    var isWorldThread: Bool { UInt(pthread_self()) == thread.load(ordering: .relaxed) }
    var isPending: Bool { count.load(ordering: .acquiring) > 0 }

    /// The thread that runs the world may be another than the one that built it.
    func adoptThread() { thread.store(UInt(pthread_self()), ordering: .relaxed) }

    func append(_ actor: SimulatedActor, _ job: @escaping @Sendable () -> Void) {
        jobs.withLock { $0.append((actor, job)) }
        count.add(1, ordering: .releasing)
    }

    func takeAll() -> [(SimulatedActor, @Sendable () -> Void)] {
        let taken = jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        count.subtract(taken.count, ordering: .relaxed)
        return taken
    }
}
