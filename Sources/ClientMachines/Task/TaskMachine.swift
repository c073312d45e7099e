import HTTPBasics
import MachineContract
import NIOCore

/// One task from its first resume to its completion: redirects, challenges and the retry are attempts of the same task.
///
/// State = `stage`; the extensions named after the stages own its transitions. Confined to its client machine.
package final class TaskMachine: Machine {
    typealias Turn = MachineTurn<TaskOutput>

    /// Its request is the one that is being tried now.
    private(set) var plan: TaskPlan
    private let shared: SharedSettings
    /// Shared by all tasks of the session.
    let admitted: AdmittedSpaces
    /// Likewise.
    let cookies: KnownStorage
    /// Likewise.
    let cache: KnownStorage
    /// Likewise.
    let path: SessionPath

    var stage = TaskStage.idle
    var isSuspended = false
    var timeouts: TimeoutPlan
    /// Nil where no metrics are wanted.
    let log: TransferLog?

    var attempt = Attempt()
    var hop: Hop
    var redirectCount = 0
    var pathWait = PathWait()
    /// Where the first request goes: what lets the session in goes nowhere else (BEHAVIOUR 1.C3-additional).
    var home: Origin
    @Rare var authorization: Authorization?
    /// What this task was given for its proxy.
    @Rare var proxyAuthorization: Authorization?
    /// Whose connection the present attempt wants or has.
    @Rare var connectionUser: ConnectionUser?
    /// How often the system was asked for a token.
    var negotiations = 0
    /// Whom the caller named in the URL.
    let named: Credential?
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

    init(
        plan: TaskPlan, settings: SharedSettings, admitted: AdmittedSpaces = AdmittedSpaces(),
        cookies: KnownStorage = KnownStorage(), cache: KnownStorage = KnownStorage(),
        path: SessionPath = SessionPath(), at moment: Moment
    ) {
        self.path = path
        self.cache = cache
        self.cookies = cookies
        self.admitted = admitted
        self.plan = plan
        hop = Hop(after: plan.lookup)
        shared = settings
        timeouts = TimeoutPlan(request: plan.requestTimeout, resource: plan.resourceTimeout, at: moment.instant)
        log = plan.metrics == .none ? nil : TransferLog(at: moment.instant)
        home = plan.request.url.nominalOrigin
        named = plan.request.url.credential
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
        // What is resumed may have another URL.
        if request.url == plan.request.url { hop.cacheKey = plan.cacheKey }
    }

    var request: ClientRequest {
        get { plan.request }
        set { plan.request = newValue }
    }

    var settings: ClientSettings { _read { yield shared.value } }
    var asks: QuestionKinds { plan.asks }
    var trustScope: Int? { plan.trustScope }
    var codePoint: UInt8 { plan.codePoint }

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
        case .idle, .delayed, .openingBody, .waitingForPath, .waitingForConnection, .confirmingBody, .asking,
            .negotiating, .openingFile, .closingFile, .completed:
            return false
        }
    }

    package func handle(_ input: TaskInput, at moment: Moment, into outputs: inout [TaskOutput]) {
        var turn = Turn(at: moment, taking: &outputs)
        defer { turn.give(to: &outputs) }
        log?.now = turn.now
        switch input {
        case .event, .loaded: budget.spend(TurnBudget.event)
        case .goOn: budget.goOn()
        default: budget.begin()
        }
        react(to: input, &turn)
        if budget.yields(), stage != .completed { turn.outputs.append(.yield) }
    }

    private func react(to input: TaskInput, _ turn: inout Turn) {
        switch input {
        case .start(let suspended): start(suspended: suspended, &turn)
        case .suspend: suspend(&turn)
        case .resume: resume(&turn)
        case .cancel(let keep): interrupt(.cancelled(keepingResumeData: keep), &turn)
        case .answer(let answer): answered(answer, &turn)
        case .delivered(let bytes): delivered(bytes, &turn)
        case .connected(let isReused, let isForwarded, let signIn):
            connected(isReused: isReused, isForwarded, signIn, &turn)
        case .negotiated(let number, let answer, let isConnected):
            negotiated(number, answer, isConnected: isConnected, &turn)
        case .connectFailed(let kind, let detail, let security):
            if security == nil, standsIn(for: kind, &turn) { return begin(&turn) }
            if waitsAfter(kind, &turn) { return }
            interrupt(.failed(kind, .environment, detail, security), &turn)
        case .connectionAsks(let isOpen): connectionAsks(isOpen, &turn)
        case .connectionBroke(let failure, let ending): connectionBroke(failure, ending, &turn)
        case .arrived: timeouts.progressed(at: turn.now)
        case .event(let event): received(event, &turn)
        case .loaded(let event): loaded(event, &turn)
        case .wrote(let bytes): wrote(bytes, &turn)
        case .bodyRead(let stream, let piece): bodyRead(stream, piece, &turn)
        case .bodyFileOpened(let version): bodyFileOpened(version, &turn)
        case .bodyFileFailed(let kind, let detail): bodyFileFailed(kind, detail, &turn)
        case .fileOpened: fileOpened(&turn)
        case .fileWrote(let bytes): fileWrote(bytes, &turn)
        case .fileClosed: fileClosed(&turn)
        case .fileFailed(let kind, let detail): fileFailed(kind, detail, &turn)
        case .goOn: pump(&turn)
        case .pathTold: pathTold(&turn)
        case .timePassed: timePassed(&turn)
        }
    }

    /// Hands a response event to the stage that is waiting for it.
    func received(_ event: ResponseEvent, _ turn: inout Turn) {
        switch stage {
        case .awaitingHead: receivedHeadEvent(event, &turn)
        case .receivingBody: receivedBodyEvent(event, &turn)
        case .draining(let next, _): receivedWhileDraining(event, next: next, &turn)
        case .idle, .delayed, .loading, .openingBody, .waitingForPath, .waitingForConnection, .confirmingBody, .asking,
            .negotiating, .openingFile, .closingFile, .completed:
            turn.outputs.append(.bug("response event in stage \(stage.name)"))
        }
    }

    private func timePassed(_ turn: inout Turn) {
        if case .delayed(let due) = stage { return wait(until: due, &turn) }
        if let stageDeadline, stageDeadline <= turn.now {
            if case .draining(let next, _) = stage {
                abandon(&turn)
                return go(on: next, &turn)
            }
            if !isSuspended { sendAwaitedBody(&turn) }
        }
        guard let expiry = timeouts.expired(at: turn.now), stage != .completed else { return }
        if expiry == .request, standsInForSilence(&turn) { return }
        interrupt(.timedOut(expiry), &turn)
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
        case .waitingForPath: "waitingForPath"
        case .waitingForConnection: "waitingForConnection"
        case .awaitingHead: "awaitingHead"
        case .confirmingBody: "confirmingBody"
        case .asking: "asking"
        case .negotiating: "negotiating"
        case .openingFile: "openingFile"
        case .receivingBody: "receivingBody"
        case .draining: "draining"
        case .closingFile: "closingFile"
        case .completed: "completed"
        }
    }
}
