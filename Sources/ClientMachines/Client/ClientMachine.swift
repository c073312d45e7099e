import HTTPBasics
import MachineContract
import NIOCore

/// One session's behaviour: routes inputs to tasks and connections, and tasks to connections through the pool.
///
/// Confined to its world's thread. `ClientMachine+Tasks` and `ClientMachine+Connections` hold the two directions.
package final class ClientMachine: Machine {
    final class Slot {
        let machine: TaskMachine
        /// At most one of these three: the task waits for a connection, has one, or is answered by a loader.
        var place: PlaceInLine?
        var connection: Connection?
        var load: Load?
        var question: QuestionID?
        /// For which tunnel something was begun last on behalf of the task with its proxy.
        var negotiatesFor: DialID?
        init(_ machine: TaskMachine) { self.machine = machine }

        /// Parts the task from its connection.
        func detach(_ id: TaskID) -> Connection? {
            let former = connection
            connection = nil
            former?.tasks.removeAll { $0 == id }
            return former
        }

        /// The task waits no more: it has a connection, or fails.
        ///
        /// - Parameter dial: what has opened that connection, or has failed; nil for one that came free.
        func leaveLine(after dial: Dial.Progress? = nil) {
            if let place { machine.log?.waited(since: place.since, for: dial) }
            place = nil
        }
    }

    /// Where a task waits for a connection, and since when.
    struct PlaceInLine {
        let route: ConnectionRoute
        let since: Instant
    }

    typealias Turn = MachineTurn<ClientOutput>

    let shared: SharedSettings
    /// What connections speak.
    let codec: any Codec.Type
    var tasks: [TaskID: Slot] = [:]
    var connections: [ConnectionID: Connection] = [:]
    var questions: [QuestionID: QuestionOwner] = [:]
    /// What a dial waits for.
    var dialQuestions: [DialID: DialQuestion] = [:]
    var pool: ConnectionPool
    let admitted = AdmittedSpaces()
    let cookies = KnownStorage()
    let cache = KnownStorage()
    let path = SessionPath()
    var deadlines = DeadlineQueue<TaskID>()
    var dials: [DialID: Dial] = [:]
    var attempts = ConnectionAttempts()
    var dialDeadlines = DeadlineQueue<DialID>()
    var invalidation: Invalidation = .none
    /// Since when places are free that no task was offered yet.
    var turnsDue: Instant?
    /// How often bytes came, on whichever connection.
    var arrivals = 0
    private var lastQuestion = 0
    private var lastLoad = 0
    private var spareOutputs: [[TaskOutput]] = []

    enum Invalidation { case none, finishing, told }

    package init(settings: ClientSettings, codec: any Codec.Type = HTTP1Codec.self) {
        shared = SharedSettings(settings)
        self.codec = codec
        pool = ConnectionPool(
            limit: settings.connectionsPerHost, mostIdle: max(settings.idleConnections, settings.connectionsPerHost),
            patience: settings.patience)
    }

    var settings: ClientSettings { _read { yield shared.value } }

    package var deadline: Instant? {
        Instant.earlier(
            Instant.earlier(deadlines.first, dialDeadlines.first), Instant.earlier(pool.deadline, turnsDue))
    }

    package func handle(_ input: ClientInput, at moment: Moment, into outputs: inout [ClientOutput]) {
        var turn = Turn(at: moment, taking: &outputs)
        defer { turn.give(to: &outputs) }
        switch input {
        case .cancel, .suspend: break
        // A task that starts now stands behind those that wait.
        default: if turnsDue != nil { takeTurns(&turn) }
        }
        switch input {
        case .start(let id, let plan, let suspended):
            start(id, plan, suspended: suspended, &turn)
        case .suspend(let id): step(id, .suspend, &turn)
        case .resume(let id): step(id, .resume, &turn)
        case .cancel(let id, let keep): step(id, .cancel(keepingResumeData: keep), &turn)
        case .answer(let question, let answer): answered(question, answer, &turn)
        case .delivered(let id, let bytes): step(id, .delivered(bytes: bytes), &turn)
        case .bodyRead(let id, let stream, let piece):
            step(id, .bodyRead(stream, piece), &turn)
        case .loaded(let id, let load, let event): loaded(id, load, event, &turn)
        case .bodyFileOpened(let id, let version): step(id, .bodyFileOpened(version), &turn)
        case .bodyFileFailed(let id, let kind, let detail):
            step(id, .bodyFileFailed(kind, detail: detail), &turn)
        case .negotiated(let id, let number, let answer): negotiated(id, number, answer, &turn)
        case .renewConnections: renewConnections(&turn)
        case .forgetCredentials: admitted.forgetAll()
        case .cookieStorageSays(let news): cookies.hear(news)
        case .cacheSays(let news): cache.hear(news)
        case .forgetCredential(let forgotten): admitted.forget(forgotten)
        case .invalidate(let cancelling): invalidate(cancelling: cancelling, &turn)
        case .fileOpened(let id): step(id, .fileOpened, &turn)
        case .fileWrote(let id, let bytes): step(id, .fileWrote(bytes: bytes), &turn)
        case .fileClosed(let id): step(id, .fileClosed, &turn)
        case .fileFailed(let id, let kind, let detail):
            step(id, .fileFailed(kind, detail: detail), &turn)
        case .goOn(let id): step(id, .goOn, &turn)
        case .timePassed: timePassed(&turn)
        case .path(let path): pathTold(path, &turn)
        case .resolved, .resolveFailed, .connected, .connectFailed, .received, .looked, .inputClosed, .closed, .wrote:
            handleNetwork(input, &turn)
        case .trustAsked(let id, let peer): asked(id, .serverTrust(peer), &turn)
        case .identityAsked(let id, let issuers): asked(id, .clientCertificate(issuers: issuers), &turn)
        case .secured(let id, let facts): handleAttempt(id, .secured(facts), &turn)
        case .secureFailed(let id, let failure): secureFailed(id, failure, &turn)
        }
        switch input {
        // A caller who cancels one task may be about to cancel the next: that is heard before it gets a connection.
        case .cancel where pool.hasNextTurn(), .suspend where pool.hasNextTurn(): turnsDue = turnsDue ?? turn.now
        default: takeTurns(&turn)
        }
        announceInvalidation(&turn)
    }

    private func timePassed(_ turn: inout Turn) {
        while let task = deadlines.popDue(at: turn.now) {
            step(task, .timePassed, &turn)
        }
        while let dial = dialDeadlines.popDue(at: turn.now) {
            dialTimePassed(dial, &turn)
        }
        for id in pool.expired(at: turn.now) { close(id, &turn) }
    }

    /// Hands one input to a task and carries out what it wants. A task that is gone is an expected race.
    func step(_ id: TaskID, _ input: TaskInput, _ turn: inout Turn) {
        guard let slot = tasks[id] else { return }
        feed(slot, id, input, &turn)
        settle(id, slot, &turn)
    }

    /// Something came for a task, from its connection or its loader.
    func arrived(for id: TaskID, isAnswer: Bool, _ turn: inout Turn) {
        guard let slot = tasks[id] else { return }
        if isAnswer { slot.machine.log?.arrived(at: turn.now) }
        feed(slot, id, .arrived, &turn)
        settle(id, slot, &turn)
    }

    /// What a task may have for itself now that something has happened.
    func settle(_ id: TaskID, _ slot: Slot, _ turn: inout Turn) {
        if slot.load != nil { pullLoad(id, slot, &turn) }
        pull(id, slot, &turn)
        deadlines.update(id, slot.machine.deadline)
    }

    /// One input and what follows from it at once, without pulling more out of the connection.
    func feed(_ slot: Slot, _ id: TaskID, _ input: TaskInput, _ turn: inout Turn) {
        if let place = slot.place, let log = slot.machine.log {
            let dial = pool.dial(for: id, place.route).flatMap { dials[$0] }
            log.waited(since: place.since, for: dial?.progress)
        }
        var wanted = spareOutputs.popLast() ?? []
        slot.machine.handle(input, at: turn.moment, into: &wanted)
        for output in wanted { perform(output, for: id, slot, &turn) }
        wanted.removeAll(keepingCapacity: true)
        spareOutputs.append(wanted)
    }

    func nextLoadID() -> LoadID {
        lastLoad += 1
        return LoadID(lastLoad)
    }

    func nextQuestionID() -> QuestionID {
        lastQuestion += 1
        return QuestionID(lastQuestion)
    }
}
