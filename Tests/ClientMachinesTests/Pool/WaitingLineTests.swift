import TestSupport
import Testing

@testable import ClientMachines

@Suite struct WaitingLineTests {
    @Test func `first come, first served, and who has left is passed over`() {
        var line = WaitingLine<TaskID>()
        for task in 1...4 { line.insert(TaskID(task), .any, at: line.count) }
        for task in [1, 3] { line.remove(TaskID(task)) }
        #expect(line.first(5).map(\.task) == [TaskID(2), TaskID(4)])
        #expect(line.first(1).map(\.task) == [TaskID(2)])
        #expect(line.popFirst()?.task == TaskID(2))
        #expect(line.popFirst()?.task == TaskID(4))
        #expect(line.popFirst() == nil)
        #expect(line.isEmpty)
    }

    @Test func `a task that leaves and comes again stands at the end, and once`() {
        var line = WaitingLine<TaskID>()
        for task in 1...2 { line.insert(TaskID(task), .any, at: line.count) }
        let leaves = [line.remove(TaskID(1)), line.remove(TaskID(1))]
        #expect(leaves == [true, false])
        line.insert(TaskID(1), .fresh, at: line.count)
        #expect(line.popFirst()?.task == TaskID(2))
        #expect(line.popFirst()?.need == .fresh)
        #expect(line.popFirst() == nil)
    }

    @Test func `a task may stand before others`() {
        var line = WaitingLine<TaskID>()
        for task in 1...4 { line.insert(TaskID(task), .any, at: line.count) }
        line.remove(TaskID(2))
        line.insert(TaskID(5), .any, at: 1)
        line.insert(TaskID(6), .any, at: 0)
        #expect(line.first(9).map(\.task.value) == [6, 1, 5, 3, 4])
    }

    @Test func `places that were left are bounded by those that count`() {
        var line = WaitingLine<TaskID>()
        line.insert(TaskID(0), .any, at: line.count)
        for task in 1...10_000 {
            line.insert(TaskID(task), .any, at: line.count)
            line.remove(TaskID(task))
        }
        #expect(line.placeCount <= 65)
        #expect(line.popFirst()?.task == TaskID(0))
    }

    /// Whoever leaves is looked up, and his place perhaps swept; a search would look at half of the line each time.
    @Test(arguments: Order.allCases) func `leaving costs a few looks, wherever one stands`(order: Order) {
        let looks = Looks()
        let tasks = (1...2000).map { CountedID(value: $0, looks: looks) }
        var line = WaitingLine<CountedID>()
        for task in tasks { line.insert(task, .any, at: line.count) }
        looks.count = 0
        for task in order.arrange(tasks) { line.remove(task) }
        #expect(line.isEmpty)
        #expect(looks.count <= 20 * tasks.count)
    }

    enum Order: CaseIterable {
        case first, last, any

        fileprivate func arrange(_ tasks: [CountedID]) -> [CountedID] {
            var random = SeededGenerator(seed: 1)
            return switch self {
            case .first: tasks
            case .last: tasks.reversed()
            case .any: tasks.shuffled(using: &random)
            }
        }
    }
}

private final class Looks {
    var count = 0
}

/// Counts how often it is compared or hashed.
private struct CountedID: Hashable {
    let value: Int
    let looks: Looks

    static func == (left: CountedID, right: CountedID) -> Bool {
        left.looks.count += 1
        return left.value == right.value
    }

    func hash(into hasher: inout Hasher) {
        looks.count += 1
        hasher.combine(value)
    }
}
