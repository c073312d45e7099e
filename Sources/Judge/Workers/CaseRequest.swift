import ScenarioFormat

/// What a worker is asked to play: one line of JSON on its standard input.
package struct CaseRequest: Codable, Hashable, Sendable {
    /// Counted by the supervisor; the answer carries the same number.
    package var number: Int
    /// Where scenarios lie.
    package var root: String
    /// The scenario's id, without the row.
    package var scenario: String
    package var row: Int
    /// The whole id, for reports.
    package var id: String
    package var client: ClientName
    package var world: WorldName
    package var style: Style
    package var seed: UInt64
    package var exploration: String?
    /// How many positions of the exploration others have played, who died of the last one; how many failed so far.
    package var played: Int?
    package var failures: Int?
    /// How often it is played until it does not conform; once without it.
    package var plays: Int?
    /// The folder that the machine-level journal goes to.
    package var journals: String?
    /// Whether the report has pictures of the transfers.
    package var drawsTransfers: Bool?
    /// The folder that scenarios go to which exploration has found.
    package var foundFolder: String?

    package init(number: Int, root: String, planned: PlannedCase, seed: UInt64, exploration: String? = nil) {
        self.number = number
        self.root = root
        scenario = planned.scenario.id
        row = planned.row
        id = planned.id
        client = planned.client
        world = planned.world
        style = planned.style
        self.seed = seed
        self.exploration = exploration
    }

    /// A result for what never got an answer of its own.
    package func result(_ verdict: CaseVerdict, seconds: Double = 0, findings: [Finding] = []) -> CaseResult {
        var result = CaseResult(
            id: id, client: client, world: world, style: style, verdict: verdict, seconds: seconds,
            findings: findings, seed: seed)
        result.exploration = exploration
        return result
    }
}

/// A worker's answer: one line of JSON on its standard output.
package struct CaseAnswer: Codable, Hashable, Sendable {
    package var number: Int
    package var result: CaseResult

    package init(number: Int, result: CaseResult) {
        self.number = number
        self.result = result
    }
}

/// Plays one case, here and now.
package protocol CaseRunner: AnyObject {
    func run(_ request: CaseRequest) -> CaseResult
}
