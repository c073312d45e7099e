import ClientMachines
import Foundation
import HTTPBasics
import Testing

@testable import SessionNetworking

/// What one task taught about its delegate decides how the next one goes, in its own world and in no other.
@Suite struct KnownMethodsTests {
    private final class Quiet: NSObject, URLSessionTaskDelegate {}

    /// Whether the machine is to tell metrics of a first task, and of one behind it.
    private static func wanted(of session: URLSession, in world: FakeWorld) -> [Bool] {
        (0..<2).map { _ in
            let task = session.dataTask(with: Sample.url)
            task.resume()
            let plans = world.engine.takePlans()
            let metrics = TaskMetrics(transactions: [], redirectCount: 0, end: task.created)
            world.tell(task, .metrics(metrics), .complete(nil))
            world.queue.runAll()
            return plans.map(\.metrics) == [.told]
        }
    }

    @Test func `a world learns for itself what its delegates lack`() {
        let types = KnownTypes()
        let answers = [types, types, KnownTypes()].map { known in
            let world = FakeWorld()
            return Self.wanted(of: world.makeSession(delegate: Quiet(), knownTypes: known), in: world)
        }
        #expect(answers == [[true, false], [false, false], [true, false]])
    }

    @Test func `what no delegate of a world has need not be learned`() {
        let world = FakeWorld()
        let known = KnownTypes(lacking: DelegateMethods(.metrics))
        let session = world.makeSession(delegate: Quiet(), knownTypes: known)
        #expect(Self.wanted(of: session, in: world) == [false, false])
    }
}
