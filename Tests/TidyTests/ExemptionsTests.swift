import Testing

/// The list of exceptions can only get shorter.
struct ExemptionsTests {
    private static let list = "# a comment\n\nfile-size Sources/A.swift  # a table\n"
    private static let long = SourceTree("Sources/A.swift", String(repeating: "\n", count: 501))

    @Test("An entry covers the findings of one rule in one file")
    func covers() {
        let exemptions = Exemptions(Self.list)
        #expect(exemptions.faults == [])
        let finding = Finding(path: "Sources/A.swift", line: 1, message: "")
        #expect(exemptions.covers(finding, of: .fileSize))
        #expect(!exemptions.covers(finding, of: .columns))
        #expect(!exemptions.covers(Finding(path: "Sources/B.swift", line: 1, message: ""), of: .fileSize))
    }

    @Test("An entry that excuses nothing any more is found")
    func unneeded() {
        #expect(Exemptions(Self.list).unneeded(in: Self.long) == [])
        let short = SourceTree("Sources/A.swift", "\n")
        #expect(Exemptions(Self.list).unneeded(in: short).map(\.line) == [3])
        #expect(Exemptions(Self.list).unneeded(in: SourceTree([])).map(\.line) == [3])
    }

    @Test(
        "An entry needs a rule that exists, a path and a reason",
        arguments: [
            "file-size Sources/A.swift", "file-size Sources/A.swift #", "file-size # why", "no-rule a.swift # why",
        ])
    func faults(_ line: String) {
        #expect(Exemptions(line).entries == [])
        #expect(Exemptions(line).faults.count == 1)
    }
}
