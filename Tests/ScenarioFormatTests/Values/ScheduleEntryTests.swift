import Testing

@testable import ScenarioFormat

@Suite("Entries of a schedule")
struct ScheduleEntryTests {
    @Test("An entry reads back from its text", arguments: ScheduleEntry.Kind.allCases)
    func text(kind: ScheduleEntry.Kind) {
        let index = kind == .chance ? 0 : 17
        let entry = ScheduleEntry(kind, at: index, takes: 3)
        #expect(entry.description == "\(kind.rawValue):\(index):3")
        #expect(ScheduleEntry(entry.description) == entry)
    }

    @Test("The plain choice is no entry, nor is what has other parts", arguments: ["turn:1:0", "turn:1", "x:1:2", ""])
    func refusedForm(text: String) { #expect(ScheduleEntry(text) == nil) }

    @Test(
        "A choice that its kind does not have is no entry",
        arguments: [
            "turn:0:-1", "turn:0:1001", "length:0:-1", "latency:0:-101", "latency:0:1000001", "busy:0:-1",
            "busy:0:9999999", "chance:1:7",
        ])
    func refused(text: String) { #expect(ScheduleEntry(text) == nil) }
}
