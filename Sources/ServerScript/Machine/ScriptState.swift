import HTTPBasics

/// All that changes while a script is played, in one scope and one round. To start over is to put another one in its
/// place; an exchange under way ends with the one that it began with.
final class ScriptState {
    let prepared: PreparedScript
    let script: Script
    let plan: ScriptPlan
    let proxied: ProxiedHosts
    let board: LaneBoard
    var handshakes: HandshakeBoard
    var dice: Dice
    /// Signals given so far; one that was given stays given.
    var raised: Set<String> = []
    /// What has come in slices, by target.
    var assemblies: [String: Assembly] = [:]
    var uploads = UploadStore()
    /// How often each route was used that may be used a number of times only.
    var routeUses: [Int: Int] = [:]
    /// Requests of this round, and the first of its violations.
    var requestCount = 0
    var violations: [String] = []
    /// Routes that have answered, in this round or one before.
    var usedRoutes: [Bool]
    /// Connections that have asked for something in this round.
    var usedConnections = 0
    var variables = ScriptVariables()
    /// How many words were drawn for templates and delays.
    var draws = 0
    /// Step exchanges under way.
    var liveSteps = 0
    var round = Round()
    /// The user has put another one in its place: what goes wrong in exchanges under way counts no more.
    var isDiscarded = false
    /// The connection and exchange that were last in the journal.
    var latest: (peer: PeerID, exchange: Int)?

    /// - Parameter isNamed: Of a scope with a name: connections are secured before they name one, so what goes wrong
    ///   there is not its own.
    init(_ prepared: PreparedScript, seed: UInt64, isNamed: Bool) {
        self.prepared = prepared
        script = prepared.script
        plan = prepared.plan
        proxied = prepared.proxied
        board = LaneBoard(prepared.script)
        usedRoutes = prepared.script.routes.map { _ in false }
        handshakes = HandshakeBoard(isNamed ? Script() : prepared.script)
        dice = Dice(seed: seed)
    }

    /// Whether every step has happened, faults of idle connections included, and of handshakes.
    var isExhausted: Bool { board.isConsumed && owedHandshakes.isEmpty }

    /// Faults of single connections' handshakes that have not struck in this round.
    var owedHandshakes: [OwedHandshake] { handshakes.owed(script.hosts) }

    func use(_ route: Int) {
        if script.routes[route].times != nil { routeUses[route, default: 0] += 1 }
        usedRoutes[route] = true
    }

    func useDifferences(_ route: Int?) -> [Difference] {
        guard let route, let times = script.routes[route].times, routeUses[route, default: 0] >= times else {
            return []
        }
        return [Difference("times: it answers \(times.counting("request")) of a round, and has")]
    }

    var unusedRoutes: [Route] {
        script.routes.indices.filter { !usedRoutes[$0] && script.routes[$0].times != 0 }.map { script.routes[$0] }
    }

    /// Steps are owed, and a client has begun with them.
    var isAwaited: Bool { round.stage == .underWay && !board.lanes.isEmpty && !isExhausted }
}
