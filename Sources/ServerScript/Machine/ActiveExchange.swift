import HTTPBasics
import NIOCore

/// One exchange under way on a connection: what it came from, how far it is, what may still go wrong on purpose.
final class ActiveExchange {
    enum Source {
        case step(LaneBoard.Turn)
        case route(PlannedExchange)
        /// Routes whose heads fit; the body decides.
        case routes([PlannedExchange])
        case otherwise
    }

    enum Stage {
        case requestHead
        case requestBody
        case requestRead
        case delayed
        case answering
    }

    let request: ReceivedHead
    /// From its first byte to its last, whatever begins anew meanwhile.
    let state: ScriptState
    var source: Source
    var stage = Stage.requestHead
    var readBody = ReadBody.all
    /// Nil until the body has decided.
    var plan: PlannedExchange?
    /// Until the answer begins; then they are the player's.
    var faults = PendingFaults([])
    var interims = InterimPlayer([])
    var player: ReplyPlayer?
    var readPace: Pace?
    var sendPace: Pace?
    /// The next bytes of an answer with a rate, until they are due.
    var held: ByteBuffer?
    var recorder = BodyRecorder()
    /// One list of checks for each candidate that has any.
    var checks: [[BodyCheck]] = []
    /// The body, if any of them looks at the whole.
    var document: ReceivedDocument?
    /// What the script says of uploads has been looked at.
    var isUploadBegun = false
    /// Of a server that keeps uploads.
    var upload: UploadStore.Turn?
    /// Stands in for the script's.
    var ownReply: PlannedReply?
    /// What it does to the script's state waits for the request's body.
    var owesChanges = false
    /// The script's state as it was when this exchange was chosen, if its answer says something of it.
    var variables: ScriptVariables?
    /// One of the steps that are under way in its state's round.
    private var isLive = false
    /// Part of the request's body stays unread, so nothing can follow on this connection.
    var leavesBodyUnread = false

    init(_ request: ReceivedHead, source: Source, _ state: ScriptState) {
        self.request = request
        self.state = state
        self.source = source
    }

    /// The round is not over while this goes on.
    func hold() {
        isLive = true
        state.liveSteps += 1
    }

    /// It may be.
    func letGo() {
        if isLive { state.liveSteps -= 1 }
        isLive = false
    }

    var turn: LaneBoard.Turn? {
        if case .step(let turn) = source { return turn }
        return nil
    }

    /// How much of the body is read at most.
    var readLimit: Int {
        switch readBody {
        case .all: .max
        case .part(let bytes): max(0, bytes)
        case .none: 0
        }
    }

    /// Whether a client is to be told that its body is awaited, and the script does not say so itself.
    var mayContinue: Bool {
        let reply = plan?.reply?.scripted
        let isScripted = plan != nil && reply == nil || reply?.interim.contains { $0.status == 100 } == true
        return request.awaitsContinue && readBody == .all && !isScripted
    }

    /// The request is still being read, and the client will see nothing of it: that may go on while all is frozen.
    var isReadUnnoticed: Bool {
        switch stage {
        case .requestHead where request.expectsContinue || plan?.scripted.resumable != nil: return false
        case .requestHead, .requestBody:
            return !faults.list.contains { fault in
                switch fault.landmark {
                case .requestHead, .requestBody: true
                default: false
                }
            }
        case .requestRead, .delayed, .answering: return false
        }
    }

    /// `faults` are those of the plan that happen this time.
    func adopt(_ plan: PlannedExchange, faults: [Fault]) {
        self.plan = plan
        readPace = Pace(bytesPerSecond: plan.scripted.readRate)
        sendPace = Pace(bytesPerSecond: plan.reply?.scripted.sendRate)
        readBody = plan.scripted.readBody
        interims = InterimPlayer(plan.reply?.scripted.interim ?? [])
        self.faults = PendingFaults(faults)
    }

    func take(_ body: ByteBuffer) {
        recorder.take(body)
        document?.take(body)
        for list in checks.indices {
            for index in checks[list].indices { checks[list][index].take(body) }
        }
    }
}
