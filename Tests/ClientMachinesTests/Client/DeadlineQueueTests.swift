import HTTPBasics
import TestSupport
import Testing

@testable import ClientMachines

@Suite struct DeadlineQueueTests {
    private func at(_ seconds: Int) -> Instant { .zero + .seconds(seconds) }

    @Test func `the earliest comes up first, equal ones by task`() {
        var queue = DeadlineQueue<TaskID>()
        queue.update(TaskID(3), at(20))
        queue.update(TaskID(2), at(10))
        queue.update(TaskID(1), at(20))
        #expect(queue.first == at(10))
        #expect(queue.popDue(at: at(9)) == nil)
        #expect(queue.popDue(at: at(30)) == TaskID(2))
        #expect(queue.popDue(at: at(30)) == TaskID(1))
        #expect(queue.popDue(at: at(30)) == TaskID(3))
        #expect(queue.popDue(at: at(30)) == nil)
    }

    @Test func `a deadline that moves later costs no entry and comes up early`() {
        var queue = DeadlineQueue<TaskID>()
        for second in [10] + Array(10..<1000) { queue.update(TaskID(1), at(second)) }
        #expect(queue.count == 1)
        #expect(queue.first == at(10))
        queue.update(TaskID(1), nil)
        #expect(queue.popDue(at: at(10)) == TaskID(1))
        #expect(queue.first == nil)
    }

    @Test func `a deadline that moves earlier comes up once`() {
        var queue = DeadlineQueue<TaskID>()
        queue.update(TaskID(1), at(20))
        queue.update(TaskID(1), at(10))
        #expect(queue.popDue(at: at(30)) == TaskID(1))
        #expect(queue.popDue(at: at(30)) == nil)
    }

    @Test func `a finished task comes up no more`() {
        var queue = DeadlineQueue<TaskID>()
        queue.update(TaskID(1), at(10))
        queue.remove(TaskID(1))
        #expect(queue.first == nil)
        #expect(queue.popDue(at: at(10)) == nil)
    }

    @Test func `finished tasks are swept`() {
        var queue = DeadlineQueue<TaskID>()
        var most = 0
        for task in 0..<100_000 {
            queue.update(TaskID(task), at(1_000_000 - task))
            queue.remove(TaskID(task))
            most = max(most, queue.count)
        }
        #expect(most == 64)
    }

    @Test func `entries that count no more are swept when they outnumber those that do`() {
        var queue = DeadlineQueue<TaskID>()
        for second in [30, 20] {
            for task in 0..<100 { queue.update(TaskID(task), at(second)) }
        }
        #expect(queue.count == 200)
        queue.update(TaskID(0), at(10))
        #expect(queue.count == 100)
        #expect(queue.popDue(at: at(10)) == TaskID(0))
        #expect(queue.popDue(at: at(19)) == nil)
        #expect((1..<100).allSatisfy { queue.popDue(at: at(20)) == TaskID($0) })
        #expect(queue.first == nil)
    }

    @Test func `one task whose timers change all day keeps the queue small`() {
        var queue = DeadlineQueue<TaskID>()
        let resource = at(604_800)
        for minute in 0..<10_000 {
            // The user holds the transfer back, the entry comes up, and the request timer starts again.
            queue.update(TaskID(1), resource)
            queue.update(TaskID(1), at(minute * 60))
            #expect(queue.popDue(at: at(minute * 60)) == TaskID(1))
            #expect(queue.count <= 64)
        }
    }
}
