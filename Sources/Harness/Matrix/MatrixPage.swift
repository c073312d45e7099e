import Judge
import ScenarioFormat

/// `Documentation/MATRIX.md`: each scenario with what ours and another client make of it, from the records in the
/// scenarios' files. Nothing is played: that the records are true is what `understudy run --client` shows.
package struct MatrixPage {
    private let client: ClientName
    private let plan: CasePlan
    /// Reasons in the order in which the table first names them.
    private var reasons: [Reason] = []

    package init(_ scenarios: [Scenario], client: ClientName = .foundation) {
        self.client = client
        plan = CasePlan(scenarios, clients: [client])
    }

    package static func markdown(_ scenarios: [Scenario]) -> String {
        var page = MatrixPage(scenarios)
        return page.markdown()
    }

    /// Records of scenarios that this client does not play in that case and style: they say nothing.
    package var idle: [KnownDifference] {
        var marks: Set<String> = []
        for planned in plan.cases where planned.isPlayed {
            if let record = planned.difference { marks.insert("\(record.mark)") }
        }
        let records = plan.cases.flatMap(\.scenarioCase.differences)
        return records.filter { $0.client == client && marks.insert("\($0.mark)").inserted }
    }

    private mutating func markdown() -> String {
        var table: [String] = []
        var topic = ""
        for scenario in scenarios {
            let next = scenario.id.split(separator: "/").first.map(String.init) ?? scenario.id
            if next != topic {
                topic = next
                table += ["", "## \(topic)", "", "| scenario | ours | \(client.rawValue) | why |", "|---|---|---|---|"]
            }
            table.append(row(scenario))
        }
        return (head + table + reasonsSection).joined(separator: "\n") + "\n"
    }

    /// In the order of their ids, each once.
    private var scenarios: [Scenario] {
        var ids: Set<String> = []
        return plan.cases.map(\.scenario).filter { ids.insert($0.id).inserted }
    }

    private var head: [String] {
        let tally = Tally(plan.cases)
        return [
            "# Our scenarios, two clients", "",
            "Made by `make matrix` from the `differs:` entries of the scenario files; do not edit. That command also plays",
            "every case with both clients: what is recorded is run and must differ exactly so, and what is not recorded must",
            "conform. Ours conforms everywhere, in both worlds. A case counts once for each style in which it makes sense.",
            "", "Over sockets, \(client.rawValue): \(tally.text).", "",
            "*Different*: another answer than ours, which no clause that we know forbids. *Broken*: one that the clause beside",
            "it forbids, of a standard or of the client's own documentation. *Crashed*: the process ends. *Wedged*: the caller",
            "waits for ever. *Flaky*: not the same each time. *Not played*: in virtual time only, which other clients do not have.",
        ]
    }

    private mutating func row(_ scenario: Scenario) -> String {
        let cases = plan.cases.filter { $0.scenario.id == scenario.id }
        let ours = cases.count { planned in
            ClientName.ours.worlds.contains {
                PlannedCase(scenario: scenario, row: planned.row, world: $0, style: planned.style).skip == nil
            }
        }
        var numbers: [Int] = []
        for reason in cases.compactMap(\.reason) {
            if !reasons.contains(reason) { reasons.append(reason) }
            if let index = reasons.firstIndex(of: reason), !numbers.contains(index + 1) { numbers.append(index + 1) }
        }
        let why = numbers.sorted().map { "[\($0)](#\($0))" }.joined(separator: ", ")
        let link = "[\(scenario.id)](../scenarios/\(scenario.file))"
        return "| \(link) | \(ours) conform | \(Tally(cases).text) | \(why) |"
    }

    private var reasonsSection: [String] {
        guard !reasons.isEmpty else { return [] }
        let counts = plan.cases.compactMap(\.reason).reduce(into: [Reason: Int]()) { $0[$1, default: 0] += 1 }
        let lines = reasons.enumerated().map { number, reason in
            "| <a id=\"\(number + 1)\"></a>\(number + 1) | \(reason.because) | \(reason.against?.text ?? "") "
                + "| \(counts[reason] ?? 0) |"
        }
        return ["", "## Why", "", "| | reason | against | cases |", "|---|---|---|---|"] + lines
    }
}

/// Equal ones share a line of the page.
private struct Reason: Hashable {
    var because: String
    var against: Clause?
}

/// Cases and styles, counted by what becomes of them.
private struct Tally {
    private var counts: [(word: String, count: Int)] = []

    init(_ cases: [PlannedCase]) {
        let words = cases.map(\.word)
        let order = ["conform"] + KnownDifference.Kind.allCases.map(\.rawValue) + ["unimplemented", "not played"]
        counts = order.map { word in (word, words.filter { $0 == word }.count) }.filter { $0.count > 0 }
    }

    var text: String { counts.map { "\($0.count) \($0.word)" }.joined(separator: ", ") }
}

extension PlannedCase {
    fileprivate var isPlayed: Bool { skip == nil && gap == nil }

    fileprivate var difference: KnownDifference? { scenarioCase.difference(of: client, in: style) }

    fileprivate var word: String {
        if skip != nil { return "not played" }
        if gap != nil { return "unimplemented" }
        return difference?.verdict.rawValue ?? "conform"
    }

    fileprivate var reason: Reason? {
        if skip != nil { return nil }
        if let gap { return Reason(because: "It \(gap).") }
        return difference.map { Reason(because: $0.because, against: $0.against) }
    }
}
