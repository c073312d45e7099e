import HTTPBasics
import ServerScript

extension Linter {
    func checkServer(_ scenarioCase: ScenarioCase) {
        for (reply, mark) in scenarioCase.script.replies {
            checkTimeline(reply, mark)
            for fault in reply.faults {
                if let objection = reply.objection(to: fault) {
                    error(objection.text, at: fault.mark, remedy: objection.remedy)
                }
            }
        }
        let script = scenarioCase.script
        let lists = script.exchanges.map(\.0.allFaults) + [script.otherwise?.faults ?? []]
        for (fault, objection) in lists.flatMap(\.objections) {
            error(objection.text, at: fault.mark, remedy: objection.remedy)
        }
        checkRoutes(scenarioCase.script)
        checkState(scenarioCase.script)
        checkRecordFaults(scenarioCase.script)
    }

    // MARK: - Timelines

    private func checkTimeline(_ reply: Reply, _ mark: SourceMark?) {
        if let dead = reply.timeline.deadStep { warn("in 'send', nothing happens after '\(dead)'", at: mark) }
        guard !reply.timeline.isEmpty, !reply.isRanged, let size = reply.body.plainSize else { return }
        var reach = TimelineReach()
        reach.follow(reply.timeline)
        if reach.bytes > size {
            error("'send' asks for \(reach.bytes.counting("byte")) of a body of \(size)", at: mark)
        }
    }

    // MARK: - Routes

    private func checkRoutes(_ script: Script) {
        for (index, route) in script.routes.enumerated() {
            let earlier = script.routes[..<index].first { earlier in
                (earlier.host ?? script.hosts.first) == (route.host ?? script.hosts.first) && earlier.covers(route)
            }
            guard let earlier else { continue }
            let place = earlier.mark.map { " in line \($0.line)" } ?? ""
            warn("this route is never reached: the route\(place) matches first", at: route.mark)
        }
    }
}

/// How much of a body a timeline sends.
private struct TimelineReach {
    var bytes = 0
    /// After `rest` nothing is left to ask for, and after `stall` nothing happens.
    private var isOver = false

    mutating func follow(_ steps: [SendStep], times: Int = 1) {
        for step in steps where !isOver {
            switch step {
            case .bytes(let count), .chunk(let count, _):
                let (product, overflow) = count.multipliedReportingOverflow(by: times)
                let (sum, carried) = bytes.addingReportingOverflow(product)
                bytes = overflow || carried ? .max : sum
            case .rest, .stall: isOver = times > 0
            case .repeat(let count, let steps):
                let (product, overflow) = count.multipliedReportingOverflow(by: times)
                follow(steps, times: overflow ? .max : product)
            case .wait, .raw, .split, .trailers, .signal, .await: break
            }
        }
    }
}

extension [SendStep] {
    /// `rest` or `stall`, if a step that follows it has nothing left to do.
    fileprivate var deadStep: String? {
        var isWhole = false
        for (index, step) in enumerated() {
            if isWhole, step.takesBody { return "rest" }
            switch step {
            case .stall where index < count - 1: return "stall"
            case .rest: isWhole = true
            case .repeat(_, let steps): if let dead = steps.deadStep { return dead }
            default: break
            }
        }
        return nil
    }
}

extension SendStep {
    fileprivate var takesBody: Bool {
        switch self {
        case .bytes, .chunk, .rest: true
        default: false
        }
    }
}

extension Route {
    /// Whether every request to this host that matches `later` matches this route too.
    fileprivate func covers(_ later: Route) -> Bool {
        let mine = exchange.request, other = later.exchange.request
        guard mine.isUnconditional, times == nil else { return false }
        guard mine.method == nil || mine.method == other.method else { return false }
        guard let target = mine.target else { return true }
        guard let otherTarget = other.target else { return false }
        if target == otherTarget { return true }
        return other.captureNames.isEmpty && mine.takes(target: otherTarget)
    }
}

extension RequestMatch {
    fileprivate var isUnconditional: Bool {
        query == nil && state.isEmpty && minorVersion == nil && connection == nil && exchange == nil
            && fields.isEmpty && absent.isEmpty && basic == nil && digest == nil && ntlm == nil && negotiate == nil
            && body == nil && multipart == nil
            && sliceOf == nil
            && !isWhole
    }
}
