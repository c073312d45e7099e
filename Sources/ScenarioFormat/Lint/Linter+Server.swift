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
        checkPurpose(scenarioCase)
        checkRoutes(scenarioCase.script)
        checkState(scenarioCase.script)
        checkRecordFaults(scenarioCase.script)
    }

    /// A client may be judged by what it does without a server, or with one that no request comes to.
    private func checkPurpose(_ scenarioCase: ScenarioCase) {
        let script = scenarioCase.script
        guard scenarioCase.client.isEmpty, script.steps.isEmpty, script.routes.isEmpty, script.otherwise == nil,
            script.listenFaults.isEmpty, script.tls.isEmpty, script.proxies.isEmpty
        else { return }
        let places = ["server:", "routes:"].map(log.source.mark(ofLast:))
        warn(
            "nothing is served: every request gets 404, and is a violation", at: places.max { $0.line < $1.line },
            remedy: "write a step below 'server:', or a route below 'routes:'")
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
        // Those that stand for no other target are found by it: there may be thousands.
        var same: [String: [RouteCover]] = [:]
        var wide: [RouteCover] = []
        for (index, route) in script.routes.enumerated() {
            let cover = RouteCover(route, at: index, of: script)
            let namesake = cover.target.flatMap { same[$0] }?.first { $0.covers(cover) }
            let earlier = [namesake, wide.first { $0.covers(cover) }].compactMap(\.self).min { $0.index < $1.index }
            if let earlier {
                let place = earlier.mark.map { " in line \($0.line)" } ?? ""
                warn("this route is never reached: the route\(place) matches first", at: route.mark)
            }
            guard cover.isUnconditional else { continue }
            if cover.isWide { wide.append(cover) }
            if let target = cover.target, !cover.isWide { same[target, default: []].append(cover) }
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
