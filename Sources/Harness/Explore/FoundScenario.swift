import Foundation
import Judge
import ScenarioFormat
import ServerScript
import Simulator

/// The scenario that exploration leaves behind: the failing case by itself, with the shortest schedule, or the fewest
/// bends, with which it fails.
struct FoundScenario {
    let id: String
    let text: String
    /// The schedule in words, for a report.
    let notes: [String]

    init(_ request: CaseRequest, _ scenario: Scenario, seed: UInt64, schedule: [ScheduleRecord.Entry]) {
        let notes = schedule.map { "\($0.departure) at \(EventText.text($0.instant)): \($0.note)" }
        self.init(
            request, scenario, name: "seed-\(seed)", about: "fails in this schedule, which seed \(seed) led to",
            notes: notes, comments: notes.isEmpty ? ["the plain order is enough"] : notes
        ) { $0.schedule = schedule.compactMap { ScheduleEntry($0.departure) } }
    }

    /// How tasks end is not expected: what fails here is a rule of every run.
    init(_ request: CaseRequest, _ scenario: Scenario, bends: [Bend]) {
        let text = bends.map(\.description).joined(separator: ",")
        self.init(
            request, scenario, name: text, about: "does not stand these answers", notes: [], comments: []
        ) {
            $0.bends = bends
            $0.expect = Expectation()
        }
    }

    private init(
        _ request: CaseRequest, _ scenario: Scenario, name: String, about: String, notes: [String],
        comments: [String], change: (inout ScenarioCase) -> Void
    ) {
        id = FoundScenario.name("\(request.id)-\(request.style.rawValue)-\(name)")
        self.notes = notes
        var found = scenario
        found.id = id
        found.about = "\(request.id) \(about)."
        found.needs = Needs(worlds: [.simulated], styles: [request.style], codings: scenario.needs.codings)
        var failing = scenario.cases[request.row]
        failing.name = nil
        failing.differences = []
        change(&failing)
        found.cases = [failing]
        text = ScenarioPrinter.file(found) + comments.map { "# \($0)\n" }.joined()
    }

    /// Names of cases may hold what a file name should not.
    private static func name(_ text: String) -> String {
        String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || "/.-_".contains($0)) ? $0 : "-" })
    }
}

// The two kinds have the same words, which a test holds them to.

extension Departure {
    init?(_ entry: ScheduleEntry) {
        guard let kind = Kind(rawValue: entry.kind.rawValue) else { return nil }
        self.init(kind, at: entry.index, takes: entry.choice)
    }
}

extension ScheduleEntry {
    init?(_ departure: Departure) {
        guard let kind = Kind(rawValue: departure.kind.rawValue) else { return nil }
        self.init(kind, at: departure.index, takes: departure.choice)
    }
}
