import HTTPBasics

/// How bytes are divided and how long they travel: constant without a seed, drawn from it with one.
struct Segmentation {
    static let latency: Duration = .microseconds(100)

    private var random: SeededRandom?
    /// Absolute offsets of split rules, ascending, per connection.
    private var splits: [Int: [Int]] = [:]

    init(random: SeededRandom?, rules: [FaultRule]) {
        self.random = random
        for case .split(let rule) in rules { splits[rule.connection, default: []].append(rule.offset) }
        for case .split(let rule) in rules { splits[rule.connection]?.sort() }
    }

    /// One way. With a seed from half to double, and now and then much longer, so that orders change.
    mutating func nextLatency() -> Duration {
        guard random != nil else { return Self.latency }
        let isSlow = random?.chance(1, in: 24) ?? false
        let microseconds = isSlow ? 500 + (random?.below(20_000) ?? 0) : 50 + (random?.below(150) ?? 0)
        return .microseconds(microseconds)
    }

    /// Just behind the data that is on its way, so that a reader who keeps pace reads it; with a seed a reset may
    /// overtake that data.
    mutating func nextResetLatency() -> Duration {
        guard random != nil else { return Self.latency + .microseconds(1) }
        return .microseconds(random?.below(200) ?? 0)
    }

    /// How many of `count` bytes travel together, starting at the absolute offset `start`.
    mutating func nextLength(of count: Int, from start: Int, connection: Int, isFromServer: Bool) -> Int {
        var length = count
        if isFromServer, let boundary = splits[connection]?.first(where: { $0 > start }) {
            length = min(length, boundary - start)
        }
        guard random != nil, length > 1, random?.chance(1, in: 2) ?? false else { return length }
        // Mostly large pieces: single bytes everywhere would only cost time.
        let limit = random?.chance(1, in: 3) ?? false ? min(length, 16) : length
        return 1 + (random?.below(limit) ?? 0)
    }
}
