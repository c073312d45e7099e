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
        failing.schedule = schedule.map { ScheduleEntry($0.departure) }
        found.cases = [failing]
        let comments = notes.isEmpty ? ["the plain order is enough"] : notes
        text = ScenarioPrinter.file(found) + comments.map { "# \($0)\n" }.joined()
    }

    /// Names of cases may hold what a file name should not.
    private static func name(_ text: String) -> String {
        String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || "/.-_".contains($0)) ? $0 : "-" })
    }
}

extension Departure {
    init(_ entry: ScheduleEntry) {
        self.init(entry.kind.departure, at: entry.index, takes: entry.choice)
    }
}

extension ScheduleEntry {
    init(_ departure: Departure) {
        self.init(departure.kind.entry, at: departure.index, takes: departure.choice)
    }
}

extension ScheduleEntry.Kind {
    fileprivate var departure: Departure.Kind {
        switch self {
        case .turn: .turn
        case .length: .length
        case .latency: .latency
        case .reset: .reset
        case .busy: .busy
        case .chance: .chance
        }
    }
}

extension Departure.Kind {
    fileprivate var entry: ScheduleEntry.Kind {
        switch self {
        case .turn: .turn
        case .length: .length
        case .latency: .latency
        case .reset: .reset
        case .busy: .busy
        case .chance: .chance
        }
    }
}
