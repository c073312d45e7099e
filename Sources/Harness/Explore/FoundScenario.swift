import Foundation
import Judge
import ScenarioFormat
import Simulator

/// The scenario that exploration leaves behind: the failing case by itself, with the shortest schedule that fails.
struct FoundScenario {
    let id: String
    let text: String
    /// The schedule in words, for a report.
    let notes: [String]

    init(_ request: CaseRequest, _ scenario: Scenario, seed: UInt64, schedule: [ScheduleRecord.Entry]) {
        id = FoundScenario.name("\(request.id)-\(request.style.rawValue)-seed-\(seed)")
        notes = schedule.map { "\($0.departure) at \(EventText.text($0.instant)): \($0.note)" }
        var found = scenario
        found.id = id
        found.about = "\(request.id) fails in this schedule, which seed \(seed) led to."
        found.needs = Needs(worlds: [.simulated], styles: [request.style])
        var failing = scenario.cases[request.row]
        failing.name = nil
        failing.differences = []
        failing.schedule = schedule.compactMap { ScheduleEntry($0.departure) }
        found.cases = [failing]
        let comments = notes.isEmpty ? ["the plain order is enough"] : notes
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
