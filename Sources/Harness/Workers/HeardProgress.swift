import Judge

/// What a worker has said of an exploration, on top of what those came to that played it before and died.
struct HeardProgress {
    private let before: CaseResult?
    private var found: CaseResult?
    /// What it played last.
    private(set) var position: Int?
    private(set) var exploration: String?
    /// How often it has found something.
    private(set) var failures = 0

    init(behind before: CaseResult?) { self.before = before }

    mutating func take(_ progress: CaseProgress) {
        switch progress {
        case .playing(let position, let exploration): (self.position, self.exploration) = (position, exploration)
        case .again: break
        case .found(let result):
            found = result
            failures += 1
        }
    }

    /// What is known as long as it has not ended.
    var result: CaseResult? { found.map { before?.followed(by: $0) ?? $0 } ?? before }

    /// The same if it dies and that comes to `end`, of whose positions all are counted.
    func ending(with end: CaseResult) -> CaseResult {
        guard var whole = result else { return end }
        whole.explored = before?.explored
        return whole.followed(by: end)
    }
}
