import HTTPBasics
import ScenarioFormat

extension WorldName: Codable {}
extension Style: Codable {}
extension ClientName: Codable {}

/// What one case of the axes came to, ready to be sent from a worker and to be reported.
package struct CaseResult: Codable, Hashable, Sendable {
    /// Scenario and row: `redirect/post-becomes-get/307`.
    package var id: String
    package var client: ClientName
    package var world: WorldName
    package var style: Style
    package var verdict: CaseVerdict
    /// Wall time.
    package var seconds: Double
    /// Time on the case's own clock, where that is another one.
    package var virtualSeconds: Double?
    package var findings: [Finding]
    /// The wire as both sides saw it, line by line; only kept for failures.
    package var trace: [String]
    /// How the requests went, where that was asked for.
    package var transfers: [Transfer]?
    /// The last lines that a dead worker wrote to its standard error.
    package var standardError: [String]
    package var seed: UInt64
    /// The point of exploration that failed: `cut:0:117:fin`.
    package var exploration: String?
    /// How many positions an exploration tried.
    package var explored: Int?
    /// How often it was played until it came out so, where once says little.
    package var plays: Int?
    /// By how many seconds its windows were widened because the machine did not run us.
    package var widened: Double?
    /// Whether some window was widened beyond its meaning.
    package var isVague: Bool?
    /// The scenario that exploration has written for what it found.
    package var found: String?
    /// How the command was called that plays it, and where it looks for scenarios: paths that hold in any folder.
    package var command: String?
    package var root: String?

    package init(
        id: String, client: ClientName = .ours, world: WorldName, style: Style, verdict: CaseVerdict,
        seconds: Double = 0, findings: [Finding] = [], seed: UInt64 = 0
    ) {
        self.id = id
        self.client = client
        self.world = world
        self.style = style
        self.verdict = verdict
        self.seconds = seconds
        self.findings = findings
        self.trace = []
        self.standardError = []
        self.seed = seed
    }

    /// One result of an exploration that several have played one after another: of failures the first is shown in full.
    package func followed(by next: CaseResult) -> CaseResult {
        var whole = verdict.isFailure ? self : next
        whole.seconds = seconds + next.seconds
        whole.findings = findings + next.findings
        let spans = [virtualSeconds, next.virtualSeconds].compactMap { $0 }
        whole.virtualSeconds = spans.isEmpty ? nil : spans.reduce(0, +)
        let counts = [explored, next.explored].compactMap { $0 }
        whole.explored = counts.isEmpty ? nil : counts.reduce(0, +)
        if whole.standardError.isEmpty { whole.standardError = next.standardError }
        return whole
    }

    /// Where and how it was played: `simulated, delegate`; our own client goes without saying.
    package var axes: String {
        let client = client == .ours ? [] : [client.rawValue]
        return (client + [world.rawValue, style.rawValue]).joined(separator: ", ")
    }

    /// The command that repeats exactly this, for a shell in any folder.
    package var replayCommand: String {
        var words = [command ?? "understudy", "run", id]
        if client != .ours { words += ["--client", client.rawValue] }
        words += ["--world", world.rawValue, "--style", style.rawValue, "--seed", String(seed)]
        if let exploration { words += ["--explore", exploration] }
        if let root { words += ["--scenarios", root] }
        return words.map(CaseResult.quoted).joined(separator: " ")
    }

    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            ASCII.isLetter(byte) || ASCII.isDigit(byte) || "/._-+=,:%@".utf8.contains(byte)
        }
        return isPlain ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }
}
