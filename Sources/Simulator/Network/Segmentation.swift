import HTTPBasics

/// How bytes are divided and how long they travel: whole and in constant time, unless the schedule says otherwise.
struct Segmentation {
    static let latency: Duration = .microseconds(100)

    private let lengths: Decisions
    private let latencies: Decisions
    private let resets: Decisions
    /// Absolute offsets of split rules, ascending, per connection.
    private var splits: [Int: [Int]] = [:]

    init(_ maker: inout DecisionMaker, rules: [FaultRule]) {
        lengths = maker.decisions(.length)
        latencies = maker.decisions(.latency)
        resets = maker.decisions(.reset)
        for case .split(let rule) in rules { splits[rule.connection, default: []].append(rule.offset) }
        for case .split(let rule) in rules { splits[rule.connection]?.sort() }
    }

    /// One way. A seed gives from half to double, and now and then much longer, so that orders change.
    func nextLatency(at now: Instant) -> Duration {
        let extra = latencies.next(at: now) {
            ($0.chance(1, in: 24) ? 500 + $0.below(20_000) : 50 + $0.below(150)) - 100
        } note: {
            "what leaves now travels \($0) us longer than usual"
        }
        return max(.zero, Self.latency + .microseconds(extra))
    }

    /// Just behind the data that is on its way, so that a reader who keeps pace reads it; under a seed a reset may
    /// overtake that data.
    func nextResetLatency(at now: Instant) -> Duration {
        let extra = resets.next(at: now) {
            $0.below(200) - 101
        } note: {
            "the reset travels \($0) us longer than usual"
        }
        return max(.zero, Self.latency + .microseconds(1 + extra))
    }

    /// How many of `count` bytes travel together, starting at the absolute offset `start`.
    func nextLength(
        of count: Int, from start: Int, connection: Int, isFromServer: Bool, at now: Instant
    ) -> Int {
        var length = count
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
