import HTTPBasics

/// How bytes are divided and how long they travel: whole and in constant time, unless the schedule says otherwise.
struct Segmentation {
    /// One way.
    private let latency: Duration
    /// Bytes in a second of one direction of a connection; nil for all at once.
    private let rate: Int?
    private let lengths: Decisions
    private let latencies: Decisions
    private let resets: Decisions
    /// Absolute offsets of split rules, ascending, per connection.
    private var splits: [Int: [Int]] = [:]

    init(_ maker: inout DecisionMaker, _ options: SimulationOptions) {
        let rules = options.rules
        (latency, rate) = (options.latency, options.rate.map { max(1, $0) })
        lengths = maker.decisions(.length)
        latencies = maker.decisions(.latency)
        resets = maker.decisions(.reset)
        for case .split(let rule) in rules { splits[rule.connection, default: []].append(rule.offset) }
        for case .split(let rule) in rules { splits[rule.connection]?.sort() }
    }

    /// One way. A seed makes of the usual 100 us from half to double, and now and then much more, so that orders
    /// change.
    func nextLatency(at now: Instant) -> Duration { max(.zero, latency + nextExtra(at: now)) }

    /// Until a name is known: whoever knows it does not lie behind the link.
    func nextLookup(at now: Instant) -> Duration { max(.zero, .microseconds(100) + nextExtra(at: now)) }

    private func nextExtra(at now: Instant) -> Duration {
        let extra = latencies.next(at: now) {
            ($0.chance(1, in: 24) ? 500 + $0.below(20_000) : 50 + $0.below(150)) - 100
        } note: {
            "what leaves now travels \($0) us longer than usual"
        }
        return .microseconds(extra)
    }

    /// Just behind the data that is on its way, so that a reader who keeps pace reads it; under a seed a reset may
    /// overtake that data, but for what waits for a slow line.
    func nextResetLatency(at now: Instant, behind data: Instant) -> Duration {
        let extra = resets.next(at: now) {
            $0.below(200) - 101
        } note: {
            "the reset travels \($0) us longer than usual"
        }
        let usual = max(.zero, latency + .microseconds(1 + extra))
        return rate == nil ? usual : max(usual, data - now + .microseconds(1))
    }

    /// How long so many bytes take to get onto the line.
    func sendingTime(of count: Int) -> Duration {
        guard let rate else { return .zero }
        let (whole, rest) = count.quotientAndRemainder(dividingBy: rate)
        return .seconds(whole) + .nanoseconds(Int64(Double(rest) / Double(rate) * 1e9))
    }

    /// At a rate no more than a packet arrives at once, or a fiftieth of a second's bytes.
    private var mostTogether: Int { rate.map { max(1_460, $0 / 50) } ?? .max }

    /// How many of `count` bytes travel together, starting at the absolute offset `start`.
    func nextLength(
        of count: Int, from start: Int, connection: Int, isFromServer: Bool, at now: Instant
    ) -> Int {
        var length = min(count, mostTogether)
        if isFromServer, let boundary = splits[connection]?.first(where: { $0 > start }) {
            length = min(length, boundary - start)
        }
        guard length > 1 else { return length }
        let whole = length
        let part = lengths.next(at: now) {
            guard $0.chance(1, in: 2) else { return 0 }
            // Mostly large pieces: single bytes everywhere would only cost time.
            let part = 1 + $0.below($0.chance(1, in: 3) ? min(whole, 16) : whole)
            return part == whole ? 0 : part
        } note: {
            "of \(whole) bytes from the \(isFromServer ? "server" : "client") on connection \(connection) "
                + "\($0) travel alone"
        }
        return part > 0 ? min(part, whole) : whole
    }
}
