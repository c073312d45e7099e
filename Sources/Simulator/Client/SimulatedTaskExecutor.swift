/// Runs async callers in virtual time, on the world's one thread: every partial task is a job of the caller.
///
/// `Task(executorPreference:)`, `async let` and cancellation stay on it. What leaves it (an actor, a detached
/// task, a clock's sleep) comes back from a foreign thread, and the run reports that.
package final class SimulatedTaskExecutor: TaskExecutor {
    // Safety: the scheduler's `post` may be called from any thread.
    private nonisolated(unsafe) let scheduler: Scheduler

    init(scheduler: Scheduler) { self.scheduler = scheduler }

    package func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        scheduler.post(on: .caller) { [self] in unowned.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
