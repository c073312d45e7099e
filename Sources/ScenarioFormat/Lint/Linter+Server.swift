import ServerScript

extension Linter {
    func checkServer(_ scenarioCase: ScenarioCase) {
        for (reply, mark) in scenarioCase.script.replies {
            checkTimeline(reply, mark)
            if let fault = reply.fault, let objection = reply.objection(to: fault) {
                error(objection.text, at: fault.mark, remedy: objection.remedy)
            }
        }
        checkRoutes(scenarioCase.script.routes)
    }

    // MARK: - Timelines

    private func checkTimeline(_ reply: Reply, _ mark: SourceMark?) {
        guard !reply.timeline.isEmpty, !reply.isRanged, let size = reply.body.plainSize else { return }
        var reach = TimelineReach()
        reach.follow(reply.timeline)
        if reach.bytes > size {
            error("'send' asks for \(reach.bytes) bytes of a body of \(size)", at: mark)
        }
    }

    // MARK: - Routes

    private func checkRoutes(_ routes: [Route]) {
        for (index, route) in routes.enumerated() {
            guard let earlier = routes[..<index].first(where: { $0.covers(route) }) else { continue }
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

extension Route {
    /// Whether every request that matches `later` matches this route too.
    fileprivate func covers(_ later: Route) -> Bool {
        let mine = exchange.request, other = later.exchange.request
        guard host == nil || host == later.host, mine.isUnconditional else { return false }
        guard mine.method == nil || mine.method == other.method else { return false }
        guard let target = mine.target else { return true }
        guard let otherTarget = other.target else { return false }
        return target == otherTarget || target.hasSuffix("*") && otherTarget.hasPrefix(String(target.dropLast()))
    }
}

extension RequestMatch {
    fileprivate var isUnconditional: Bool {
        fields.isEmpty && absent.isEmpty && basic == nil && body == nil && multipart == nil
    }

    /// Whether a task's own request could be this one.
    func mayMatch(_ task: TaskStep) -> Bool {
        guard method == nil || method == task.method else { return false }
        guard let target else { return true }
        return target == task.target || target.hasSuffix("*") && task.target.hasPrefix(String(target.dropLast()))
    }
}
