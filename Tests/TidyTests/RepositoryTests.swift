import Testing

/// The rules, applied to this repository.
struct RepositoryTests {
    private static let tree = SourceTree.repository
    private static let exemptions = Exemptions(tree.file(Exemptions.path)?.text ?? "")

    /// To be lowered with every entry that goes; raising it needs a very good reason in review.
    private static let mostExemptions = 0

    @Test("The repository keeps the rule", arguments: Rule.all)
    func keeps(_ rule: Rule) {
        let findings = rule.findings(Self.tree).filter { !Self.exemptions.covers($0, of: rule) }
        for warning in findings where warning.weight == .warning { print("warning: \(warning)") }
        let failures = findings.filter { $0.weight == .failure }.map(\.description)
        if !failures.isEmpty { Issue.record("\(failures.joined(separator: "\n"))") }
    }

    @Test("There is something to judge: the rules have read the repository")
    func hasRead() {
        #expect(Self.tree.files.filter(\.isSource).count > 100)
        #expect(Self.tree.topLevel.contains("Package.swift"))
        #expect(Rule.rows(Self.tree).count > 100)
    }

    @Test("Every exemption is needed, has a reason, and there are no more than there were")
    func exemptionsShrink() {
        #expect(Self.exemptions.faults == [])
        for entry in Self.exemptions.unneeded(in: Self.tree) {
            Issue.record("\(Exemptions.path):\(entry.line): \(entry.path) no longer needs it: remove the line")
        }
        #expect(Self.exemptions.entries.count == Self.mostExemptions, "the limit goes down with the list")
    }

    @Test("Every import that the table allows is used")
    func importsAreUsed() { #expect(Rule.unusedImports(Self.tree) == [], "to be taken out of the table of imports") }

    @Test("Every name that types may share is shared")
    func namesAreShared() { #expect(Rule.unsharedNames(Self.tree) == [], "to be taken off the lists of Rule+Names") }

    @Test("Every row of the behaviour tables is cited by its own id in a scenario or a test")
    func rowsAreProved() {
        let proofs = Self.tree.files.filter { $0.path.hasPrefix("scenarios/") || $0.isTest && !$0.isTidy }
        let cited = Set(proofs.flatMap { Rule.citedRows(in: $0) }.map(\.text))
        let open = Rule.rows(Self.tree).map(\.text).filter { !cited.contains($0) }
        #expect(open == [], "rows that no scenario and no test cites")
    }
}
