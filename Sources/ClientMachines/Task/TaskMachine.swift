import HTTPBasics
import MachineContract
import NIOCore

/// One task from its first resume to its completion: redirects, challenges and the retry are attempts of the same task.
///
/// State = `stage`; the extensions named after the stages own its transitions. Confined to its client machine.
package final class TaskMachine: Machine {
    /// Its request is the one that is being tried now.
    private(set) var plan: TaskPlan
    let settings: ClientSettings

    var stage = TaskStage.idle
    var isSuspended = false
    var timeouts: TimeoutPlan
    /// Nil where nobody wants to know.
    let log: TransferLog?

    var attempt = Attempt()
    var hop = Hop()
    var redirectCount = 0
    /// Where the first request goes: what lets the session in goes nowhere else (BEHAVIOUR 1.C3-additional).
    var home: Origin
    var authorization: Authorization?
    var budget = TurnBudget()
    /// What the pieces that wait for the user count as.
    var undelivered = 0
    /// Bytes that a caller collects who wants the body in one piece.
    var collected: Int64 = 0
    /// A stream gives its bytes once: for another attempt there must be another one (BEHAVIOUR 1.I4).
    var lastStreamRead: BodyStreamID?
    var bodyFile = OpenBodyFile.none
    var download: Download?
    @Rare var resuming: ResumeToken?
    /// The partial file that this download was to continue, where it turned out that it cannot: it goes at the end, so
    /// that resume data may be used once more when the process dies before (BEHAVIOUR 1.F4-again).
    var superseded: String?
    var resumable: ResumableUpload?
    /// What an error names, where that is not the URL being tried (BEHAVIOUR 1.C5).
    @Rare var failingURL: URLReference?

    package init(plan: TaskPlan, settings: ClientSettings, at moment: Moment) {
        self.plan = plan
        self.settings = settings
        timeouts = TimeoutPlan(request: plan.requestTimeout, resource: plan.resourceTimeout, at: moment.instant)
        log = plan.metrics == .none ? nil : TransferLog(at: moment.instant)
        home = plan.request.url.nominalOrigin
        switch plan.resumable {
        case .offer(let version):
            let upload = ResumableUpload(version, plan.request)
            (resumable, request) = (upload, upload.creation)
        case .goOn(let token):
            let upload = ResumableUpload(token)
            request = upload.question() ?? request
            (resumable, home) = (upload, token.home ?? token.url.nominalOrigin)
        case nil: break
        }
        if case .download(let token) = plan.kind {
            resuming = token
            if let token {
                (request, home) = (ResumeDecision.request(for: token), token.home ?? token.url.nominalOrigin)
            }
        }
    }

    var request: ClientRequest {
        get { plan.request }
        set { plan.request = newValue }
    }

    /// The present request goes where the first one went.
    var isAtHome: Bool { settings.additionalFields.isEmpty || plan.request.url.nominalOrigin == home }

    package var deadline: Instant? {
        switch stage {
        // Both have ended for the user: only the file may still owe an answer.
        case .completed, .closingFile(.some): return nil
        case .delayed(let due): return isSuspended ? nil : due
        default: break
        }
        guard let stageDeadline, !isSuspended else { return timeouts.deadline }
        return Instant.earlier(stageDeadline, timeouts.deadline)
    }

    /// When the present stage goes on by itself.
    private var stageDeadline: Instant? {
        if case .draining(_, let end) = stage { return end }
        return attempt.continueDeadline
    }

    /// Whether the next event of the response may be pulled out of the connection's codec.
    package var wantsEvents: Bool {
        guard !isSuspended, !budget.isUsedUp else { return false }
        switch stage {
        case .awaitingHead, .draining, .loading: return true
        case .receivingBody: return !attempt.bodyEnded && !isHeldBack
        case .idle, .delayed, .openingBody, .waitingForConnection, .confirmingBody, .asking, .openingFile, .closingFile,
            .completed:
            return false
        }
    }

    package func handle(_ input: TaskInput, at moment: Moment, into outputs: inout [TaskOutput]) {
        log?.now = moment.instant
        switch input {
        case .event, .loaded: budget.spend(TurnBudget.event)
        case .goOn: budget.goOn()
        default: budget.begin()
        }
        react(to: input, at: moment, into: &outputs)
        if budget.yields(), stage != .completed { outputs.append(.yield) }
    }

    private func react(to input: TaskInput, at moment: Moment, into outputs: inout [TaskOutput]) {
        switch input {
        case .start(let suspended): start(suspended: suspended, at: moment, into: &outputs)
        case .suspend: suspend(into: &outputs)
        case .resume: resume(at: moment, into: &outputs)
        case .cancel(let keep): interrupt(.cancelled(keepingResumeData: keep), at: moment, into: &outputs)
        case .answer(let answer): answered(answer, at: moment, into: &outputs)
        case .delivered(let bytes): delivered(bytes, at: moment, into: &outputs)
        case .connected(let isReused): connected(isReused: isReused, at: moment, into: &outputs)
        case .connectFailed(let kind, let detail):
            interrupt(.failed(kind, .environment, detail), at: moment, into: &outputs)
        case .arrived: timeouts.progressed(at: moment.instant)
        case .event(let event): received(event, at: moment, into: &outputs)
        case .loaded(let event): loaded(event, at: moment, into: &outputs)
        case .wrote(let bytes): wrote(bytes, at: moment, into: &outputs)
        case .bodyRead(let stream, let piece): bodyRead(stream, piece, at: moment, into: &outputs)
        case .bodyFileOpened(let version): bodyFileOpened(version, at: moment, into: &outputs)
        case .bodyFileFailed(let kind, let detail): bodyFileFailed(kind, detail, at: moment, into: &outputs)
        case .fileOpened: fileOpened(at: moment, into: &outputs)
        case .fileWrote(let bytes): fileWrote(bytes, at: moment, into: &outputs)
        case .fileClosed: fileClosed(into: &outputs)
        case .fileFailed(let kind, let detail): fileFailed(kind, detail, at: moment, into: &outputs)
        case .goOn: pump(at: moment, into: &outputs)
        case .timePassed: timePassed(at: moment, into: &outputs)
        }
    }

    /// Hands a response event to the stage that is waiting for it.
    private func received(_ event: ResponseEvent, at moment: Moment, into outputs: inout [TaskOutput]) {
        switch stage {
        case .awaitingHead: receivedHeadEvent(event, at: moment, into: &outputs)
        case .receivingBody: receivedBodyEvent(event, at: moment, into: &outputs)
        case .draining(let next, _): receivedWhileDraining(event, next: next, at: moment, into: &outputs)
        case .idle, .delayed, .loading, .openingBody, .waitingForConnection, .confirmingBody, .asking, .openingFile,
            .closingFile, .completed:
            outputs.append(.bug("response event in stage \(stage.name)"))
        }
    }

    private func timePassed(at moment: Moment, into outputs: inout [TaskOutput]) {
        if case .delayed(let due) = stage { return wait(until: due, at: moment, into: &outputs) }
        if let stageDeadline, stageDeadline <= moment.instant {
            if case .draining(let next, _) = stage {
                abandon(into: &outputs)
                return go(on: next, at: moment, into: &outputs)
            }
            if !isSuspended { sendAwaitedBody(at: moment, into: &outputs) }
        }
        guard let expiry = timeouts.expired(at: moment.instant), stage != .completed else { return }
        interrupt(.timedOut(expiry), at: moment, into: &outputs)
    }
}

extension TaskStage {
    /// The case's name for journals, without its payload.
    package var name: String {
        switch self {
        case .idle: "idle"
        case .delayed: "delayed"
        case .loading: "loading"
        case .openingBody: "openingBody"
        case .waitingForConnection: "waitingForConnection"
        case .awaitingHead: "awaitingHead"
        case .confirmingBody: "confirmingBody"
        case .asking: "asking"
        case .openingFile: "openingFile"
        case .receivingBody: "receivingBody"
        case .draining: "draining"
        case .closingFile: "closingFile"
        case .completed: "completed"
        }
    }
}
