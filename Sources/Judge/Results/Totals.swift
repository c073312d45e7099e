import ScenarioFormat

/// What a run came to, counted.
package struct Totals: Hashable, Sendable {
    package struct Cell: Hashable, Sendable {
        package var client: ClientName
        package var world: WorldName
        package var style: Style
        package var ran: Int
        package var failed: Int
    }

    package struct SkipCount: Hashable, Sendable {
        package var reason: String
        package var count: Int
    }

    package private(set) var passed = 0
    package private(set) var failed = 0
    package private(set) var wedged = 0
    package private(set) var setupFailed = 0
    package private(set) var unmet = 0
    package private(set) var observed = 0
    /// Differences of other clients that are as their scenarios say.
    package private(set) var recorded = 0
    package private(set) var skipped = 0
    package private(set) var unimplemented = 0
    package private(set) var cells: [Cell]
    package private(set) var skips: [SkipCount] = []
    /// Slowest first.
    package private(set) var slowest: [CaseResult] = []
    /// Time on the simulator's clocks, all cases together.
    package private(set) var virtualSeconds = 0.0
    /// Cases whose windows were widened because the machine did not run us, the longest widening, and how many of them
    /// were widened beyond their meaning.
    package private(set) var widened = 0
    package private(set) var widest = 0.0
    package private(set) var vague = 0
    /// Positions that explorations have tried.
    package private(set) var explored = 0

    package init(_ results: [CaseResult] = []) {
        cells = ClientName.allCases.flatMap { client in
            client.worlds.flatMap { world in
                Style.allCases.map { Cell(client: client, world: world, style: $0, ran: 0, failed: 0) }
            }
        }
        for result in results { add(result) }
    }

    package var ran: Int { passed + failed + wedged + setupFailed + unmet + observed + recorded }
    package var hasFailures: Bool { failed + wedged + setupFailed > 0 }

    package func cell(_ world: WorldName, _ style: Style, of client: ClientName = .ours) -> Cell? {
        cells.first { $0.client == client && $0.world == world && $0.style == style }
    }

    package mutating func add(_ result: CaseResult) {
        switch result.verdict {
        case .pass: passed += 1
        case .fail: failed += 1
        case .wedged: wedged += 1
        case .setupFailed: setupFailed += 1
        case .unmet: unmet += 1
        case .observed: observed += 1
        case .recorded: recorded += 1
        case .skipped(let reason):
            skipped += 1
            return addSkip(reason)
        case .unimplemented(let reason):
            unimplemented += 1
            return addSkip("\(result.client.rawValue) \(reason)")
        }
        virtualSeconds += result.virtualSeconds ?? 0
        explored += result.explored ?? 0
        if let seconds = result.widened {
            widened += 1
            widest = max(widest, seconds)
        }
        if result.isVague == true { vague += 1 }
        if let index = cells.firstIndex(where: {
            $0.client == result.client && $0.world == result.world && $0.style == result.style
        }) {
            cells[index].ran += 1
            if result.verdict.isFailure { cells[index].failed += 1 }
        }
        addSlow(result)
    }

    private mutating func addSkip(_ reason: String) {
        if let index = skips.firstIndex(where: { $0.reason == reason }) {
            skips[index].count += 1
        } else {
            skips.append(SkipCount(reason: reason, count: 1))
        }
    }

    private mutating func addSlow(_ result: CaseResult) {
        let place = slowest.firstIndex { $0.seconds < result.seconds } ?? slowest.count
        guard place < 5 else { return }
        slowest.insert(result, at: place)
        if slowest.count > 5 { slowest.removeLast() }
    }
}
