import Testing

@testable import ScenarioFormat

@Suite("Entries of a schedule")
struct ScheduleEntryTests {
    @Test("An entry reads back from its text", arguments: ScheduleEntry.Kind.allCases)
    func text(kind: ScheduleEntry.Kind) {
        let entry = ScheduleEntry(kind, at: 17, takes: -3)
        #expect(entry.description == "\(kind.rawValue):17:-3")
        #expect(ScheduleEntry(entry.description) == entry)
    }

    @Test("The plain choice is no entry, nor is what has other parts", arguments: ["turn:1:0", "turn:1", "x:1:2", ""])
    func refused(text: String) { #expect(ScheduleEntry(text) == nil) }
}
