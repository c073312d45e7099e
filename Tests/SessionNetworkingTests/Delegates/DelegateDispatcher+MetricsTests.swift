import ClientMachines
import Foundation
import HTTPBasics
import NIOCore
import TestSupport
import Testing

@testable import SessionNetworking

/// To whom metrics are told, when, and who is spared them (BEHAVIOUR 2.G1).
@Suite(.endsInTime) struct DelegateMetricsTests {
    private let world = FakeWorld()
    private static let metrics = UserCall.metrics(
        TaskMetrics(
            transactions: [Transaction(ClientRequest(url: Sample.reference), fetchStart: .zero)], redirectCount: 0,
            end: .zero))

    private func plans() -> [TaskPlan.Metrics] { world.engine.takePlans().map(\.metrics) }

    // BEHAVIOUR 2.G1
    @Test(arguments: [nil, Sample.cancelled]) func `they come right before the completion`(failure: Failure?) {
        let task = world.makeSession(delegate: world.spy("s")).dataTask(with: Sample.url)
        task.resume()
        #expect(plans() == [.told])
        world.tell(task, Self.metrics, .complete(failure))
        world.queue.runAll()
        let code = failure == nil ? "no error" : "-999"
        #expect(
            world.journal.take() == [
                "s didCreateTask", "s didFinishCollecting 1, state running", "s didComplete \(code), state completed",
            ])
    }

    // BEHAVIOUR 2.G1-styles
    @Test func `a handler is called after them`() {
        let session = world.makeSession(delegate: world.spy("s"))
        let task = session.dataTask(with: Sample.url) { [journal = world.journal] _, _, _ in journal.note("handler") }
        task.resume()
        world.tell(task, .response(Sample.ok), Self.metrics, .complete(nil))
        world.queue.runAll()
        #expect(
            world.journal.take() == ["s didCreateTask", "s didFinishCollecting 1, state running", "handler"])
    }

    // BEHAVIOUR 2.G1-styles
    @Test func `an asynchronous caller goes on after them`() async throws {
        let session = world.makeSession()
        let result = AsyncResult<(Data, URLResponse)>()
        let task = session.makeDataTask(
            URLRequest(url: Sample.url), .asyncData(BodyCollector(), result), delegate: world.spy("t"))
        task.resume()
        #expect(plans() == [.told])
        world.tell(task, .response(Sample.ok), Sample.data("abc"), Self.metrics, .complete(nil))
        #expect(task.state == .running)
        world.queue.runAll()
        #expect(
            world.journal.take()
                == ["t didCreateTask", "t didReceive data 3", "t didFinishCollecting 1, state running"])
        #expect(try await result.value {}.0.count == 3)
    }

    // BEHAVIOUR 2.G1
    @Test func `the task's own delegate is told in place of the session's`() {
        let task = world.makeSession(delegate: world.spy("s")).dataTask(with: Sample.url)
        task.delegate = world.spy("t")
        task.resume()
        world.tell(task, Self.metrics, .complete(nil))
        world.queue.runAll()
        #expect(world.journal.take().filter { $0.contains("Collecting") } == ["t didFinishCollecting 1, state running"])
    }

    @Test func `nobody who wants none is measured: without a delegate, or once it is known to lack the method`() {
        let plain = world.makeSession().dataTask(with: Sample.url)
        plain.resume()
        #expect(plans() == [.none])
        let session = world.makeSession(delegate: Indifferent())
        for expected in [TaskPlan.Metrics.told, .none] {
            let task = session.dataTask(with: Sample.url)
            task.resume()
            #expect(plans() == [expected], "unknown the first time")
            world.tell(task, Self.metrics, .complete(nil))
            world.queue.runAll()
            #expect(task.state == .completed)
        }
    }

    @Test func `an onlooker is told, and changes nothing for the task`() {
        let seen = Journal()
        let session = world.makeSession(onMetrics: { id, metrics in
            seen.note("task \(id.value): \(metrics.transactions.count)")
        })
        let task = session.dataTask(with: Sample.url)
        task.resume()
        #expect(plans() == [.observed])
        world.tell(task, Self.metrics, .complete(nil))
        world.queue.runAll()
        #expect(seen.take() == ["task 1: 1"])
    }
}

/// A delegate without any method.
private final class Indifferent: NSObject, URLSessionTaskDelegate {}
