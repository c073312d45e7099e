import HTTPBasics
import MachineContract

/// Stage `waitingForPath`: there is no network, or none that the request may use (BEHAVIOUR 1.B16).
///
/// The request timer does not run meanwhile, the resource timer does (BEHAVIOUR 1.B16-timers).
extension TaskMachine {
    /// Whether the request does not go out for now, or not at all. The path is asked for by the first task that wants
    /// to know.
    func isKeptBack(from origin: Origin, _ turn: inout Turn) -> Bool {
        guard needsPath(to: origin) else { return false }
        guard let current = path.current else {
            waitForPath(&turn)
            return true
        }
        pathWait.news = path.news
        guard let obstacle = plan.demands.obstacle(on: current) else { return false }
        keepBack(obstacle, &turn)
        return true
    }

    /// This machine itself is always reachable (BEHAVIOUR 1.B16-loopback).
    private func needsPath(to origin: Origin) -> Bool {
        plan.demands != .none && !ProxyExceptions.isThisMachine(hop.proxy?.host ?? origin.host)
    }

    private func keepBack(_ obstacle: PathObstacle, _ turn: inout Turn) {
        if standsIn(for: .notConnectedToInternet, &turn) { return begin(&turn) }
        guard plan.demands.waits else {
            return finish(
                failure(.notConnectedToInternet, .environment, obstacle.detail, obstacle: obstacle), &turn)
        }
        waitForPath(isTold: true, &turn)
    }

    /// No connection could be made because no network leads there: tried once more when the world tells of a change,
    /// or at once if it has told of one since the request set out.
    func waitsAfter(_ kind: Failure.Kind, _ turn: inout Turn) -> Bool {
        guard plan.demands.waits, kind == .notConnectedToInternet, stage == .waitingForConnection else { return false }
        if path.news != pathWait.news { begin(&turn) } else { waitForPath(isTold: true, &turn) }
        return true
    }

    private func waitForPath(isTold: Bool = false, _ turn: inout Turn) {
        stage = .waitingForPath
        timeouts.stopWaiting()
        if !path.isWatched {
            path.isWatched = true
            turn.outputs.append(.watchPath)
        }
        // At most once in a task's life (BEHAVIOUR 1.B16-once).
        guard isTold, !pathWait.isTold else { return }
        pathWait.isTold = true
        turn.outputs.append(.tell(.waitingForConnectivity))
    }

    /// The world has told of the path, for the first time or once more.
    func pathTold(_ turn: inout Turn) {
        switch stage {
        case .waitingForPath: begin(&turn)
        case .waitingForConnection: leavePath(&turn)
        default: break
        }
    }

    /// What was allowed when the request set out need not be so now: it has no connection yet, and gets none
    /// (BEHAVIOUR 1.B16-changed).
    private func leavePath(_ turn: inout Turn) {
        guard let origin = request.url.origin, needsPath(to: origin),
            let obstacle = path.current.flatMap(plan.demands.obstacle)
        else { return }
        turn.outputs.append(.withdraw)
        keepBack(obstacle, &turn)
    }
}

/// What a task remembers of waiting for a network.
struct PathWait {
    /// Its user knows that it waits, or has waited.
    var isTold = false
    /// How often the world had told of the path when the request set out.
    var news = 0
}

extension PathObstacle {
    var detail: String {
        switch self {
        case .offline: "There is no network."
        case .cellular: "The network is cellular, which the request or its session does not allow."
        case .expensive: "The network is expensive, which the request or its session does not allow."
        case .constrained: "The network is constrained, which the request or its session does not allow."
        }
    }
}
