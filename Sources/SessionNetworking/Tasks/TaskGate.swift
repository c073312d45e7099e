#if !canImport(Darwin)
/// The public face of a task's state, decided under the task's lock and ahead of the loop.
///
/// `resume()` must show `.running` at once although the machine lives on another thread: the gate keeps the
/// suspension count and says what the machine must be told. Pure, so that every order of calls is tested by table.
struct TaskGate: Equatable {
    /// What the engine must hear.
    enum Signal: Equatable {
        case start
        case suspend
        case resume
        case cancel(keepingResumeData: Bool)
        /// For a task that was never resumed: it exists for the engine just to be cancelled.
        case startCancelled(keepingResumeData: Bool)
    }

    /// A task is created with one suspension (BEHAVIOUR 1.H2).
    private var suspensions = 1
    private var hasStarted = false
    private(set) var isCancelled = false
    private(set) var isCompleted = false
    /// After the first resume the state reads running even while further suspensions are open (BEHAVIOUR 1.H2).
    private var readsRunning = false

    var state: URLSessionTask.State {
        if isCompleted { return .completed }
        if isCancelled { return .canceling }
        return readsRunning ? .running : .suspended
    }

    /// Started, and neither suspended nor cancelled nor completed.
    var isRunning: Bool { hasStarted && suspensions == 0 && !isCancelled && !isCompleted }

    mutating func resume() -> Signal? {
        guard !isCancelled, !isCompleted else { return nil }
        readsRunning = true
        guard suspensions > 0 else { return nil }
        suspensions -= 1
        guard suspensions == 0 else { return nil }
        if hasStarted { return .resume }
        hasStarted = true
        return .start
    }

    mutating func suspend() -> Signal? {
        guard !isCancelled, !isCompleted else { return nil }
        readsRunning = false
        suspensions = suspensions == Int.max ? suspensions : suspensions + 1
        return suspensions == 1 && hasStarted ? .suspend : nil
    }

    /// Valid in every state; a task that was never resumed still completes with -999 (BEHAVIOUR 1.B13).
    mutating func cancel(keepingResumeData: Bool) -> Signal? {
        guard !isCancelled, !isCompleted else { return nil }
        isCancelled = true
        if hasStarted { return .cancel(keepingResumeData: keepingResumeData) }
        hasStarted = true
        return .startCancelled(keepingResumeData: keepingResumeData)
    }

    mutating func complete() { isCompleted = true }

    var wasStarted: Bool { hasStarted }
}
#endif
