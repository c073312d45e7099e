import HTTPBasics

/// Explains why a request matched nothing: the step or route that came closest, and each condition that failed.
struct NearMiss {
    let script: Script
    let board: LaneBoard
    let connection: ServerConnection
    /// Whether every byte of the request's target has come in slices.
    let isWhole: Bool
    /// The request as its proxy was asked, of one that was sent on.
    let asked: ReceivedHead?
    /// What the script's state and the use of a route say against it; the index is that of a route.
    let standing: (Exchange, Int?, ReceivedHead) -> [Difference]
    /// Where the files are of a server that has several; empty for a request that has come to one of them.
    let places: [String]
    let work: PatternWork
    /// Whether routes take the request as if it were a GET.
    let asGET: Bool
    let isOpen: (PeerID) -> Bool

    /// So many of the closest are told to who asked.
    private static let told = 3
    private static let toldPlaces = 20

    struct Contender {
        var mark: SourceMark?
        var title: String
        var differences: [Difference]
        var weight: Int { differences.reduce(0) { $0 + $1.weight } }
    }

    func violation(for head: ReceivedHead) -> Violation {
        let place = "connection #\(connection.id.value), exchange \(connection.exchangeIndex + 1)"
        let request = "\(head.method) \(excerpt(Secrets.shown(head.shownTarget)))"
        return NearMiss.violation(of: steps(head) + routes(head)) { nearest in
            guard let nearest else {
                return "\(request) on \(place) matches nothing: \(nothing)"
            }
            return "\(request) on \(place) matches no step and no route; closest is \(nearest.title)"
        }
    }

    /// Why there is not even a near miss.
    private var nothing: String {
        if places.isEmpty { return "the script has no step and no route" }
        let more = places.count - NearMiss.toldPlaces
        let list = places.prefix(NearMiss.toldPlaces).joined(separator: ", ")
        return "no file is there, but at \(list)\(more > 0 ? " and \(more) more" : "")"
    }

    /// The first of the lightest is the nearest: next steps come before later and consumed ones, steps before routes.
    static func violation(of candidates: [Contender], summary: (_ nearest: Contender?) -> String) -> Violation {
        let closest = candidates.enumerated().sorted {
            ($0.element.weight, $0.offset) < ($1.element.weight, $1.offset)
        }
        let nearest = closest.first?.element
        return Violation(
            summary(nearest), nearest: nearest?.mark, differences: nearest?.differences.map(\.text) ?? [],
            closest: closest.prefix(NearMiss.told).map { entry in
                let candidate = entry.element
                return Violation.Candidate(
                    title: candidate.title, mark: candidate.mark, differences: candidate.differences.map(\.text))
            })
    }

    private func routes(_ head: ReceivedHead) -> [Contender] {
        script.routes.enumerated().map { index, route in
            let host = hostDifference(route.host ?? script.hosts.first)
            let sent = self.head(head, as: route.host)
            // Such a HEAD is answered as its GET would be.
            let isGET = asGET && route.exchange.request.method == "GET"
            let seen = isGET ? sent.renamed(method: "GET", named: sent.named, by: sent.proxy) : sent
            let standing = standing(route.exchange, index, seen)
            let differences =
                host + standing + wholeDifference(route.exchange)
                + route.exchange.request.differences(from: seen, at: connection.place, work)
            return Contender(
                mark: route.mark, title: "the route \(route.exchange.request.summary)", differences: differences)
        }
    }

    private func steps(_ head: ReceivedHead) -> [Contender] {
        var next: [Contender] = []
        var later: [Contender] = []
        var consumed: [Contender] = []
        for lane in board.lanes.indices {
            for (position, index) in board.lanes[lane].steps.enumerated() {
                let current = board.lanes[lane].position
                guard case .exchange(let exchange) = script.steps[index].action else { continue }
                let order = orderDifference(position, lane, times: script.steps[index].times)
                let differences =
                    order + connectionDifference(lane) + hostDifference(board.host(of: index))
                    + standing(exchange, nil, self.head(head, as: board.host(of: index))) + wholeDifference(exchange)
                    + exchange.request.differences(
                        from: self.head(head, as: board.host(of: index)), at: connection.place, work)
                let label = board.lanes[lane].label.map { "conn \($0): " } ?? ""
                let candidate = Contender(
                    mark: script.steps[index].mark, title: "the step \(label)\(exchange.request.summary)",
                    differences: differences)
                if position == current {
                    next.append(candidate)
                } else if position > current {
                    later.append(candidate)
                } else {
                    consumed.append(candidate)
                }
            }
        }
        return next + later + consumed
    }

    private func orderDifference(_ position: Int, _ lane: Int, times: Int) -> [Difference] {
        let state = board.lanes[lane]
        if position < state.position {
            return [Difference("count: wanted \(times) of these in all, got one more")]
        }
        if let reader = state.reader {
            let text = "order: the request before it is still being read, on connection #\(reader.value)"
            return [Difference(text)]
        }
        guard position > state.position, let first = board.next(lane) else { return [] }
        let step = script.steps[first]
        let place = step.mark.map { " (\($0))" } ?? ""
        return [Difference("order: wanted \(step.action.summary)\(place) first")]
    }

    private func connectionDifference(_ lane: Int) -> [Difference] {
        guard let label = board.lanes[lane].label else { return [] }
        if let peer = board.lanes[lane].peer {
            if peer == connection.id { return [] }
            let state = isOpen(peer) ? "" : ", which is closed"
            let wanted = "wanted \(peer.value), which conn \(label) is bound to\(state)"
            return [Difference("connection: \(wanted), got \(connection.id.value)")]
        }
        if let other = connection.lane, other != lane {
            let holder = board.lanes[other].label ?? ""
            let got = "got \(connection.id.value), which is conn \(holder)"
            return [Difference("connection: wanted a new one for conn \(label), \(got)")]
        }
        guard connection.hasUnlabelledSteps else { return [] }
        let got = "got \(connection.id.value), which has played steps without a label"
        return [Difference("connection: wanted a new one for conn \(label), \(got)")]
    }

    private func wholeDifference(_ exchange: Exchange) -> [Difference] {
        guard exchange.request.isWhole, !isWhole else { return [] }
        return [Difference("whole: wanted every byte of the target in slices before, and some are missing")]
    }

    /// What a host of the script has been asked.
    private func head(_ head: ReceivedHead, as host: String?) -> ReceivedHead {
        host == connection.host ? asked ?? head : head
    }

    private func hostDifference(_ host: String?) -> [Difference] {
        guard let host, host != connection.servedHost, asked == nil || host != connection.host else { return [] }
        return [Difference("host: wanted \(host), got \(connection.servedHost)", weight: 3)]
    }
}

extension Step.Action {
    /// What the step wants to happen, for messages.
    var summary: String {
        switch self {
        case .exchange(let exchange): exchange.request.summary
        case .accept: "a new connection"
        case .read(let bytes): "\(bytes) raw bytes from the client"
        case .write: "raw bytes from the server"
        case .close: "the end of the connection"
        }
    }
}
