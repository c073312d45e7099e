import ClientMachines
import Foundation
import Testing

@testable import SessionNetworking

@Suite struct DeliveryQueueTests {
    /// The calls that wait, each with the number of its task.
    private static func waiting(_ calls: [(task: URLSessionTask, call: UserCall)]) -> [String] {
        var queue = DeliveryQueue()
        for call in calls { queue.append(.call(call.task, call.call)) }
        var batch: [DelegateDispatcher.Delivery] = []
        queue.takeAll(into: &batch)
        return batch.map { delivery in
            switch delivery {
            case .call(let task, .wrote(let bytes, let total, _)): "\(task.taskIdentifier) wrote \(bytes), \(total)"
            case .call(let task, .sentBody(let bytes, let total, _)): "\(task.taskIdentifier) sent \(bytes), \(total)"
            case .call(let task, .complete): "\(task.taskIdentifier) complete"
            default: "?"
            }
        }
    }

    private static func wrote(_ bytes: Int64, _ total: Int64) -> UserCall {
        .wrote(bytes: bytes, total: total, expected: 100)
    }

    private static func sent(_ bytes: Int64, _ total: Int64) -> UserCall {
        .sentBody(bytes: bytes, total: total, expected: 100)
    }

    private let world = FakeWorld()

    // BEHAVIOUR 1.B2-merged
    @Test func `steps of one task become one, whatever waits between them for others`() throws {
        let session = world.makeSession()
        let (one, two) = (session.downloadTask(with: Sample.url), session.downloadTask(with: Sample.url))
        let calls = [
            (one, Self.wrote(1, 1)), (two, Self.wrote(10, 10)), (one, Self.wrote(2, 3)), (two, Self.wrote(5, 15)),
            (one, Self.wrote(4, 7)),
        ]
        #expect(Self.waiting(calls) == ["1 wrote 7, 7", "2 wrote 15, 15"])
    }

    @Test func `nothing is moved across another call of its task`() throws {
        let task = world.makeSession().downloadTask(with: Sample.url)
        let calls = [(task, Self.sent(1, 1)), (task, Self.wrote(1, 1)), (task, Self.sent(2, 3))]
        #expect(Self.waiting(calls) == ["1 sent 1, 1", "1 wrote 1, 1", "1 sent 2, 3"])
        let ended = [(task, Self.wrote(1, 1)), (task, UserCall.complete(nil)), (task, Self.wrote(2, 3))]
        #expect(Self.waiting(ended) == ["1 wrote 1, 1", "1 complete", "1 wrote 2, 3"])
    }

    @Test func `a body that is sent once more has its own steps`() throws {
        let task = world.makeSession().downloadTask(with: Sample.url)
        let calls = [(task, Self.sent(50, 50)), (task, Self.sent(20, 20)), (task, Self.sent(.max, .max))]
        #expect(Self.waiting(calls) == ["1 sent 50, 50", "1 sent 20, 20", "1 sent \(Int64.max), \(Int64.max)"])
    }

    // BEHAVIOUR 1.B2-merged
    @Test func `a download's delegate that is slow is told the sum of a thousand writes`() throws {
        let spy = world.spy("s")
        let session = world.makeSession(delegate: spy)
        let task = session.downloadTask(with: Sample.url)
        task.resume()
        for step in 1...1000 { world.tell(task, Self.wrote(3, Int64(step) * 3)) }
        world.queue.runAll()
        #expect(world.journal.take() == ["s didCreateTask", "s didWriteData 3000, 3000 of 100"])
    }
}
