import Testing

@testable import ClientMachines

@Suite struct WaitingLineTests {
    @Test func `first come, first served, and who has left is passed over`() {
        var line = WaitingLine()
        for task in 1...4 { line.append(TaskID(task), .any) }
        for task in [1, 3] { line.remove(TaskID(task)) }
        #expect(line.first?.task == TaskID(2))
        line.removeFirst()
        #expect(line.first?.task == TaskID(4))
        line.removeFirst()
        #expect(line.first == nil)
        #expect(line.isEmpty)
    }

    @Test func `who leaves and comes again stands at the end, and once`() {
        var line = WaitingLine()
        for task in 1...2 { line.append(TaskID(task), .any) }
        line.remove(TaskID(1))
        line.append(TaskID(1), .fresh)
        #expect(line.first?.task == TaskID(2))
        line.removeFirst()
        #expect(line.first?.need == .fresh)
        line.removeFirst()
        #expect(line.first == nil)
    }

    @Test func `places that were left are bounded by those that count`() {
        var line = WaitingLine()
        line.append(TaskID(0), .any)
        for task in 1...10_000 {
            line.append(TaskID(task), .any)
            line.remove(TaskID(task))
        }
        #expect(line.count <= 65)
        #expect(line.first?.task == TaskID(0))
    }

    /// With a search for each it would be five thousand million steps.
    @Test(.timeLimit(.minutes(1))) func `a hundred thousand leave as fast as they came`() {
        var line = WaitingLine()
        for task in 1...100_000 { line.append(TaskID(task), .any) }
        for task in (1...100_000).reversed() { line.remove(TaskID(task)) }
        #expect(line.isEmpty)
    }
}
