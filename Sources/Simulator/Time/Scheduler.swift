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

    /// The one timer of an actor.
    private struct Timer {
        var deadline: Instant?
        var wake: Job?
        var isWakeQueued = false
    }

    private struct TimedJob: Comparable {
        var due: Instant
        var sequence: UInt64
        var actor: Int
        var job: Job

        static func < (left: TimedJob, right: TimedJob) -> Bool {
            left.due == right.due ? left.sequence < right.sequence : left.due < right.due
        }

        static func == (left: TimedJob, right: TimedJob) -> Bool { left.sequence == right.sequence }
    }

    package private(set) var clock: VirtualClock
    /// Steps of all runs so far.
    package private(set) var steps = 0
    /// Called, on the world's thread, when a job came from a foreign thread: nothing in a simulation may do that.
    var onStray: ((SimulatedActor) -> Void)?

    private let turns: Decisions
    private var due = DueJobs()
    private var later = Heap<TimedJob>()
    private var sequence: UInt64 = 0
    private var timers: [Timer] = []
    private var isOver = false
    private let strays = StrayJobs()
    /// A job between two steps, at any actor's turn.
    private var intrusion: (step: Int, job: Job)?

    init(clock: VirtualClock = VirtualClock(), turns: Decisions = Decisions(.turn)) {
        self.clock = clock
        self.turns = turns
    }

    package var now: Instant { clock.now }

    package func setDate(_ date: UnixTime) { clock.setDate(date) }

    /// Puts a job behind everything that the actor has to do at or before that time. World's thread only.
    package func schedule(on actor: SimulatedActor, after delay: Duration = .zero, _ job: @escaping Job) {
        guard !isOver else { return }
        if delay <= .zero { return due.append(job, of: actor.index) }
        sequence += 1
        later.insert(TimedJob(due: clock.now + delay, sequence: sequence, actor: actor.index, job: job))
    }

    /// For callers that cannot prove on which thread they run. A job from elsewhere is run, and reported.
    package func post(on actor: SimulatedActor, after delay: Duration = .zero, _ job: @escaping @Sendable () -> Void) {
        if strays.isWorldThread { return schedule(on: actor, after: delay, job) }
        strays.append(actor, job)
    }

    /// Only this thread may touch the world; the one that built it, until another runs it.
    var isWorldThread: Bool { strays.isWorldThread }
    func adoptCurrentThread() { strays.adoptThread() }

    /// Gives an actor its one timer: `wake` runs as a job of the actor when the time set by `setTimer` has come.
    func onTimer(of actor: SimulatedActor, _ wake: @escaping Job) {
        let index = actor.index
        while timers.count <= index { timers.append(Timer()) }
        timers[index].wake = { [unowned self] in
            timers[index].isWakeQueued = false
            wake()
        }
    }

    /// Replaces the actor's deadline. No stale wake-up remains, so time never jumps for nothing.
    func setTimer(of actor: SimulatedActor, to deadline: Instant?) {
        let index = actor.index
        guard timers.indices.contains(index), timers[index].wake != nil else { return }
        timers[index].deadline = deadline
        if let deadline, deadline <= clock.now { queueWake(at: index) }
    }

    /// Runs until nothing is left, or until a bound is reached; may be called again. Jobs after `end` stay.
    package func run(until end: Instant, stepLimit: Int) -> RunEnd {
        strays.adoptThread()
        let bound = steps + stepLimit
        while true {
            adoptStrays()
            if due.count == 0 {
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

    /// Drops every job, so that the closures' owners can go. Jobs that are scheduled later are dropped as well.
    func shutDown() {
        isOver = true
        due = DueJobs()
        timers.removeAll()
        later = Heap()
        intrusion = nil
        onStray = nil
    }
}

// MARK: - Who is next

extension Scheduler {
    private func queueWake(at index: Int) {
        guard let wake = timers[index].wake else { return }
        timers[index].deadline = nil
        guard !timers[index].isWakeQueued else { return }
        timers[index].isWakeQueued = true
        due.append(wake, of: index)
    }

    private func nextDue() -> Instant? {
        var next = later.min?.due
        for index in timers.indices {
            guard let deadline = timers[index].deadline else { continue }
            next = min(next ?? deadline, deadline)
        }
        return next
    }

    private func queueWhatIsDue() {
        while let first = later.min, first.due <= clock.now {
            let timed = later.removeMin()
            due.append(timed.job, of: timed.actor)
        }
        for index in timers.indices {
            if let deadline = timers[index].deadline, deadline <= clock.now { queueWake(at: index) }
        }
    }

    private func takeNext() -> Job? {
        let candidates = due.candidates
        guard candidates > 1 else { return due.takeFirst(of: due.actor(atRank: 0)) }
        let rank = turns.next(at: clock.now) {
            $0.below(candidates)
        } note: {
            "\(actor(atRank: $0)) goes before \(actor(atRank: 0))"
        }
        return due.takeFirst(of: due.actor(atRank: rank))
    }

    private func actor(atRank rank: Int) -> SimulatedActor { SimulatedActor(index: due.actor(atRank: rank)) }

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
