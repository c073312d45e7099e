import TestSupport
import Testing

@testable import ClientMachines

@Suite struct WaitingLineTests {
    @Test func `first come, first served, and who has left is passed over`() {
        var line = WaitingLine<TaskID>()
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
        var line = WaitingLine<TaskID>()
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
        var line = WaitingLine<TaskID>()
        line.append(TaskID(0), .any)
        for task in 1...10_000 {
            line.append(TaskID(task), .any)
            line.remove(TaskID(task))
        }
        #expect(line.count <= 65)
        #expect(line.first?.task == TaskID(0))
    }

    /// Whoever leaves is looked up, and his place perhaps swept; a search would look at half of the line each time.
    @Test(arguments: Order.allCases) func `leaving costs a few looks, wherever one stands`(order: Order) {
        let looks = Looks()
        let tasks = (1...2000).map { CountedID(value: $0, looks: looks) }
        var line = WaitingLine<CountedID>()
        for task in tasks { line.append(task, .any) }
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
