import ClientMachines
import Testing

@testable import Simulator

@Suite struct SessionTableTests {
    private static func key(_ session: Int, _ task: Int) -> TaskKey { TaskKey(session: session, task: TaskID(task)) }

    @Test func `a task is found again, and no other`() {
        var table = SessionTable<TaskKey, String>()
        table[Self.key(1, 3)] = "c"
        table[Self.key(0, 2)] = "b"
        table[Self.key(0, 1)] = "a"
        #expect(table[Self.key(1, 3)] == "c")
        #expect(table.keys == [Self.key(0, 1), Self.key(0, 2), Self.key(1, 3)])
        for other in [Self.key(1, 2), Self.key(1, 4), Self.key(2, 0), Self.key(0, -1)] { #expect(table[other] == nil) }
        table[Self.key(0, 2)]? += "!"
        #expect(table[Self.key(0, 2)] == "b!")
    }
}
