import Foundation
import HTTPBasics
import Judge
import ScenarioFormat
import ServerScript

/// What the lane looks at in every case of every scenario: where it is called, and what its tasks say of
/// themselves then.
extension ClientLanePlayer {
    /// What is to be known of a task so that it can be watched.
    struct Watched {
        var watch: TaskWatch
        var task: URLSessionTask?
        /// What it was made with; nil for one that goes on from resume data.
        var given: URLRequest?
        /// What it is at now: the caller's own answers move it on. Nil where they are not asked.
        var current: URLRequest?
        /// The one before, until something shows that the caller's answer was carried out: a task that ends sooner is
        /// still at it.
        var former: URLRequest?
        var response: URLResponse?
        var delegate: (any URLSessionTaskDelegate)?
        /// A download's file, which is its caller's during one call.
        var file: URL?
        /// What `cancel(byProducingResumeData:)` has handed over, and whether it has.
        var resumeData: Data?
        var hasResumeData = false
        var progress: Progress?
    }

    /// A task is about to be made. Where nothing is watched it is left alone: a foreign client may call from inside the
    /// queue that its tasks' properties wait for.
    func watch(_ step: TaskStep, _ source: Source) {
        guard !LaneSession.watches.isEmpty else { return }
        var facts = TaskWatch.Facts()
        let isBare = scenarioCase.isBare(step.label)
        let hasDelegate = (style == .delegate || hasQuestionDelegate || step.hasOwnDelegate) && !isBare
        let hearsAll = !isBare && (style == .delegate || step.ownDelegate.map { $0 != .bare } == true)
        facts.hearsBody =
            style != .completion && (step.kind == .download ? hearsAll : style == .delegate || step.hasOwnDelegate)
        facts.hearsSent = hasDelegate
        facts.isContinued = step.resumeData != nil || step.rawResumeData != nil
        facts.length = facts.isContinued || shortened.contains(step.label) ? nil : step.announcedBody
        var watched = Watched(watch: TaskWatch(LaneSession.watches, facts))
        switch source {
        case .request(let request), .upload(let request, _): watched.given = request
        case .resumeData: break
        }
        let isRewritten = scenarioCase.session.protocolRules.contains { $0.canonicalTarget != nil }
        if hasDelegate, !isRewritten { watched.current = watched.given }
        self.watched[step.label] = watched
        if let request = watched.given { checkValue(request) }
    }

    /// It is made: its maker knows, or a delegate hears of it.
    func made(_ task: URLSessionTask, _ label: String) {
        guard let known = watched[label], known.task !== task else { return }
        leakSuspects.append(LeakSuspect(task))
        checkNew(task)
        task.taskDescription = label
        task.priority = Self.priority
        watched[label]?.task = task
        if stage?.watchesProgress == true { watched[label]?.progress = task.progress }
    }

    /// The session calls. Where it should not, the caller's own code would run in two places at once.
    func called(_ word: String) {
        guard LaneSession.watches.contains(.sessions), let wrong = stage?.misplaced() else { return }
        journal.record(breach: "'\(word)' came \(wrong)")
    }

    /// A delegate is called: it has to be the task's own, if that has the method (BEHAVIOUR 1.B1-6).
    func checkCaller(_ word: EventWord, _ label: String, _ delegate: LaneDelegate) {
        // The first message comes on the thread that makes the task (BEHAVIOUR 1.B1-2).
        if word != .created, !(delegate.answersAsynchronously && word.isQuestion) { called(word.rawValue) }
        guard LaneSession.watches.contains(.delegates), let own = watched[label]?.delegate, own !== delegate.front
        else {
            return
        }
        let form = scenarioCase.tasks.first { $0.label == label }?.ownDelegate
        if form?.has(word) == true {
            journal.record(breach: "\(label): '\(word.rawValue)' went past the task's own delegate")
        }
    }

    /// Holds the task against what is told of it now.
    func look(_ event: SeenEvent, error: (any Error)? = nil, delivered: Int? = nil, _ task: URLSessionTask?) {
        // A caller that lets go of a task's bytes is not told of its end.
        guard journal.task(event.task)?.isLetGo != true else { return }
        guard var known = watched[event.task], let task = task ?? known.task else { return }
        if !event.word.isOfAnyRequest { known.former = nil }
        watched[event.task] = known
        let isPiece = event.word == .data || event.word == .wrote || event.word == .sent
        if event.word == .complete { checkEnd(known, error) }
        let look = look(at: task, known, isPiece: isPiece)
        hold(event.task, known) {
            $0.hear(event, error: error.map(ErrorName.name), delivered: delivered, look)
        }
    }

    private func hold(_ label: String, _ known: Watched, _ look: (inout TaskWatch) -> Void) {
        var watch = known.watch
        look(&watch)
        watched[label]?.watch = watch
        for breach in watch.breaches.dropFirst(known.watch.breaches.count) {
            journal.record(breach: "\(label): \(breach)")
        }
    }

    /// What the caller does to a task shows at once, unless its end is on its way.
    func act(_ word: String, on label: String, shows state: TaskLook.State, _ act: (URLSessionTask) -> Void) {
        guard let task = tasks[label]?.handle else { return }
        let former = TaskLook.State(task.state)
        act(task)
        guard let known = watched[label] else { return }
        let isOver = former == .canceling || former == .completed
        hold(label, known) { $0.act(word, shows: isOver ? former : state, look(at: task, known)) }
    }

    /// A redirect or a delayed request goes on with that.
    func goes(on label: String, with request: URLRequest?) {
        guard let request, let former = watched[label]?.current else { return }
        watched[label]?.former = former
        watched[label]?.current = request
    }

    /// - Parameter isPiece: One of many calls that bring no more than bytes.
    private func look(at task: URLSessionTask, _ known: Watched, isPiece: Bool = false) -> TaskLook {
        var look = TaskLook()
        // The counts first: they may run on while the rest is looked at.
        look.progress = known.progress.map {
            TaskLook.Share(
                completed: Int(clamping: $0.completedUnitCount), total: Int(clamping: $0.totalUnitCount),
                isFinished: $0.isFinished)
        }
        look.state = TaskLook.State(task.state)
        look.identifier = task.taskIdentifier
        look.error = task.error.map(ErrorName.name)
        look.received = Int(clamping: task.countOfBytesReceived)
        look.sent = Int(clamping: task.countOfBytesSent)
        look.expectedToSend = Int(clamping: task.countOfBytesExpectedToSend)
        look.keepsNotes = task.priority == Self.priority && task.taskDescription != nil
        if let delegate = known.delegate { look.holdsDelegate = task.delegate === delegate }
        if !isPiece { describeRequests(of: task, known, &look) }
        let response = task.response
        look.hasResponse = response != nil
        look.expectedToReceive = Int(clamping: task.countOfBytesExpectedToReceive)
        if let told = known.response { look.isToldResponse = response === told }
        guard let response, response === task.response else { return look }
        look.announced = Int(clamping: response.expectedContentLength)
        if response is HTTPURLResponse, protocolRules == nil {
            // A port that is written and empty is none.
            let asked = task.currentRequest?.url, answered = response.url
            look.isAnswered =
                asked?.host == answered?.host && asked?.path == answered?.path && asked?.query == answered?.query
        }
        return look
    }

    private func describeRequests(of task: URLSessionTask, _ known: Watched, _ look: inout TaskLook) {
        if let given = known.given {
            let original = task.originalRequest
            look.isOriginal = original == given && original?.hashValue == given.hashValue
        }
        let possible = [known.current, known.former].compactMap(\.self)
        if !possible.isEmpty {
            look.isCurrent = possible.contains { isSame(task.currentRequest, $0, asGiven: $0 == known.given) }
        }
    }

    private func isSame(_ now: URLRequest?, _ wanted: URLRequest, asGiven: Bool) -> Bool {
        guard let now, now.url == wanted.url, now.httpMethod == wanted.httpMethod else { return false }
        guard asGiven else { return true }
        let fields = now.allHTTPHeaderFields ?? [:]
        // An expectation that was refused is left out the next time (BEHAVIOUR 1.I2-417).
        let keepsFields = wanted.allHTTPHeaderFields?.allSatisfy {
            fields[$0.key] == $0.value || $0.key.lowercased() == "expect"
        }
        return keepsFields != false && now.timeoutInterval == wanted.timeoutInterval
    }

    private static let priority: Float = 0.75
}

extension EventWord {
    /// Whether it says nothing of the request that the task is at.
    fileprivate var isOfAnyRequest: Bool {
        switch self {
        case .sent, .data, .wrote, .willCache, .metrics, .complete: true
        default: false
        }
    }

    fileprivate var isQuestion: Bool {
        switch self {
        case .redirect, .challenge, .needStream, .delayedRequest, .response, .willCache: true
        default: false
        }
    }
}

/// An object that must be gone when the case is over.
struct LeakSuspect {
    weak var object: AnyObject?

    init(_ object: AnyObject) { self.object = object }
}

extension TaskLook.State {
    init(_ state: URLSessionTask.State) {
        self =
            switch state {
            case .running: .running
            case .suspended: .suspended
            case .canceling: .canceling
            case .completed: .completed
            }
    }
}

extension TaskStep {
    /// What `countOfBytesExpectedToSend` says of its body; nil where that depends on more (BEHAVIOUR 1.H2-sent).
    fileprivate var announcedBody: Int? {
        if form != nil || sliced != nil || bodyFile?.obstacle != nil { return nil }
        if bodyStream != nil || isStreamed { return fields.contains("Content-Length") ? nil : -1 }
        return (edited.body ?? bodyFile?.content).map { ContentBytes($0).count } ?? 0
    }
}
