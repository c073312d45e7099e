import HTTPBasics

/// Where each lane of a script stands: which step is next, on which connection, and what is still owed.
///
/// Order is total within a lane; lanes know nothing of each other. The lane without a label is continued by any
/// connection, a labelled lane by the one connection that it is bound to.
final class LaneBoard {
    struct Lane {
        let label: String?
        /// Indices into the script's steps; steps with `times: 0` are not there.
        var steps: [Int]
        var position = 0
        /// Labelled: the connection that it is bound to. Unlabelled: the one that continued it last.
        var peer: PeerID?
        /// The connection whose request for this lane is being read; until that is over nothing else matches.
        var reader: PeerID?
        /// A step that exploration's cut allows once more; it need not happen.
        var replay: Int?
    }

    /// What a connection takes up.
    struct Turn: Hashable {
        let lane: Int
        let step: Int
        let isReplay: Bool
    }

    let script: Script
    private(set) var lanes: [Lane] = []
    /// The lane without a label.
    private(set) var unlabelled: Int?
    private(set) var owed = 0
    /// How often each step of the script has happened.
    private var happened: [Int]
    /// Steps with a fault that has not fired, of an idle connection or because the client has left; they count as
    /// unconsumed.
    private var unfired: [(step: Int, faults: [Fault])] = []
    /// The last step that each connection played, and what it had written before; as many as there are exchanges.
    private var lastTurns: [PeerID: (turn: Turn, written: Int)] = [:]
    /// A connection was cut: in what order and over which connections the client goes on is not the script's to say.
    private(set) var isCut = false

    init(_ script: Script) {
        self.script = script
        happened = script.steps.map { _ in 0 }
        for (index, step) in script.steps.enumerated() where step.times > 0 {
            owed += step.times
            if let lane = lanes.firstIndex(where: { $0.label == step.lane }) {
                lanes[lane].steps.append(index)
            } else {
                if step.lane == nil { unlabelled = lanes.count }
                lanes.append(Lane(label: step.lane, steps: [index]))
            }
        }
    }

    /// The lane's next unconsumed step.
    func next(_ lane: Int) -> Int? {
        let position = lanes[lane].position
        return position < lanes[lane].steps.count ? lanes[lane].steps[position] : nil
    }

    /// The labelled lane that a connection has taken, when it comes back from another scope.
    func lane(boundTo peer: PeerID) -> Int? { lanes.firstIndex { $0.label != nil && $0.peer == peer } }

    func hasPlayedUnlabelled(_ peer: PeerID) -> Bool {
        lastTurns[peer].map { lanes[$0.turn.lane].label == nil } ?? (unlabelled.map { lanes[$0].peer == peer } ?? false)
    }

    func host(of step: Int) -> String? { script.steps[step].host ?? script.hosts.first }

    /// Lanes in the file order of their next steps.
    var inFileOrder: [Int] {
        let open: [(lane: Int, step: Int)] = lanes.indices.compactMap { lane in
            (lanes[lane].replay ?? next(lane)).map { (lane, $0) }
        }
        return open.sorted { $0.step < $1.step }.map(\.lane)
    }

    var isConsumed: Bool { owed == 0 && unfired.isEmpty }

    private func owed(_ step: Int) -> Int { script.steps[step].times - happened[step] }

    /// What is left, in file order, each step with the number of times that it is still owed.
    var unconsumed: [Step] {
        var left: [(index: Int, times: Int, faults: [Fault])] = unfired.map { ($0.step, 1, $0.faults) }
        for lane in lanes { left += lane.steps[lane.position...].map { ($0, owed($0), []) }.filter { $0.times > 0 } }
        return left.sorted { $0.index < $1.index }.map { entry in
            var step = script.steps[entry.index]
            step.times = entry.times
            step.owed = entry.faults
            return step
        }
    }
}

// MARK: Moving on

extension LaneBoard {
    /// The turn happens on this connection: binds the lane and moves it on.
    func take(_ turn: Turn, on peer: PeerID, written: Int) {
        lanes[turn.lane].peer = peer
        lastTurns[peer] = (turn, written)
        if turn.isReplay { lanes[turn.lane].replay = nil } else { consume(turn.step, of: turn.lane) }
    }

    private func consume(_ step: Int, of lane: Int) {
        owed -= 1
        happened[step] += 1
        while let next = next(lane), owed(next) <= 0 { lanes[lane].position += 1 }
    }

    /// A step outside of exchanges happens on this connection.
    func takeConnectionStep(_ lane: Int, on peer: PeerID) {
        lanes[lane].peer = peer
        if let step = next(lane) { consume(step, of: lane) }
    }

    func bind(_ lane: Int, to peer: PeerID) { lanes[lane].peer = peer }

    func beginReading(_ lane: Int, on peer: PeerID) { lanes[lane].reader = peer }

    func endReading(on peer: PeerID) {
        for lane in lanes.indices where lanes[lane].reader == peer { lanes[lane].reader = nil }
    }

    func owe(_ faults: [Fault], of step: Int) { unfired.append((step, faults)) }

    func faultFired(of step: Int) {
        if let index = unfired.firstIndex(where: { $0.step == step }) { unfired.remove(at: index) }
    }

    /// Exploration cut the connection: what it asked last may be asked again, unless the answer had begun to arrive.
    func cut(_ peer: PeerID, sent: Int) {
        isCut = true
        if let (turn, written) = lastTurns[peer] {
            if sent <= written, mayRepeat(turn.step) { lanes[turn.lane].replay = turn.step }
            faultFired(of: turn.step)
        }
        endReading(on: peer)
        for lane in lanes.indices where lanes[lane].peer == peer { lanes[lane].peer = nil }
    }

    /// What is owed in any lane and place, in file order: after a cut the client's requests come as they may.
    var displaced: [Turn] {
        guard isCut else { return [] }
        let turns = lanes.indices.flatMap { lane in
            lanes[lane].steps[lanes[lane].position...].filter { owed($0) > 0 }
                .map { Turn(lane: lane, step: $0, isReplay: false) }
        }
        return turns.sorted { $0.step < $1.step }
    }

    private func mayRepeat(_ step: Int) -> Bool {
        guard case .exchange(let exchange) = script.steps[step].action else { return false }
        return exchange.request.method.map(HTTPMethod.isIdempotent) ?? true
    }
}
