import ClientMachines
import Foundation
import Locks
import NIOCore
import Testing

@testable import SessionNetworking

/// A response that is there as a whole when its question is asked: one hop, and nothing else to be seen of it.
@Suite struct RunningAheadTests {
    private let world = FakeWorld()

    /// Asks about a whole response, and lets the delegate queue run.
    private func ask(_ task: URLSessionTask, body: String = "abc") {
        world.ask(task, 1, .response(Sample.ok, rest: ByteBuffer(string: body)))
    }

    /// What the machine says when it learns that it is allowed.
    private func followUp(_ task: URLSessionTask) {
        world.tell(task, Sample.data("abc"), .complete(nil))
        world.queue.runAll()
    }

    private func startedTask(_ delegate: any URLSessionDelegate) -> URLSessionDataTask {
        let task = world.makeSession(delegate: delegate).dataTask(with: Sample.url)
        task.resume()
        _ = world.engine.takeInputs()
        _ = world.journal.take()
        return task
    }

    // BEHAVIOUR 1.B1-8
    @Test(arguments: ["abc", ""])
    func `allowed at once, body and completion follow in the same job, and the machine's words find nobody`(
        body: String
    ) {
        let task = startedTask(world.spy("s"))
        ask(task, body: body)
        #expect(world.queue.runOne())
        #expect(
            world.journal.take() == ["s didReceive response 200"] + (body.isEmpty ? [] : ["s didReceive data 3"])
                + ["s didComplete no error, state completed"])
        #expect(world.queue.count == 0)
        #expect(task.countOfBytesReceived == Int64(body.utf8.count))
        #expect(world.engine.takeWords() == ["answer 1 allow"])
        #expect(!world.engine.isOwedWake)
        followUp(task)
        #expect(world.journal.take().isEmpty)
        #expect(task.countOfBytesReceived == Int64(body.utf8.count))
    }

    @Test func `a delegate that is known to lack the method allows in the same way`() {
        let session = world.makeSession(delegate: DataOnly(world.journal))
        for number in 1...2 {
            let task = session.dataTask(with: Sample.url)
            task.resume()
            _ = world.engine.takeInputs()
            world.ask(task, number, .response(Sample.ok, rest: ByteBuffer(string: "abc")))
            if number == 2 {
                #expect(world.queue.runOne())
            } else {
                // Whether the asynchronous form is there is only found out by calling it.
                world.queue.runAll()
                followUp(task)
            }
            #expect(world.journal.take() == ["data 3", "completed 0"])
            #expect(world.engine.takeWords() == ["answer \(number) allow"])
        }
    }

    @Test func `denied at once, the machine has the last word`() {
        let task = startedTask(SpyDelegate("s", world.journal, .init(response: .cancel)))
        ask(task)
        world.queue.runAll()
        #expect(world.journal.take() == ["s didReceive response 200"])
        #expect(world.engine.takeWords() == ["answer 1 deny"])
        #expect(!world.engine.isOwedWake)
        world.tell(task, .complete(Sample.cancelled))
        world.queue.runAll()
        #expect(world.journal.take() == ["s didComplete -999, state completed"])
    }

    // BEHAVIOUR 1.B1-9
    @Test func `answered after its method has returned, or twice, it goes the long way once`() {
        let answers = Lock<[@Sendable (URLSession.ResponseDisposition) -> Void]>([])
        let task = startedTask(Asked(world.journal) { _, answer in answers.withLock { $0.append(answer) } })
        ask(task)
        world.queue.runAll()
        #expect(world.journal.take() == ["response"])
        #expect(world.engine.takeInputs().isEmpty)
        for answer in answers.withLock({ $0 }) { answer(.allow) }
        world.queue.runAll()
        #expect(world.journal.take().isEmpty, "nothing before the machine says it")
        #expect(world.engine.takeWords() == ["answer 1 allow"])
        followUp(task)
        #expect(world.journal.take() == ["data 3", "completed 0"])
    }

    @Test func `answered twice at once, the first answer counts`() {
        let task = startedTask(
            Asked(world.journal) { _, answer in
                answer(.allow)
                answer(.cancel)
            })
        ask(task)
        world.queue.runAll()
        #expect(world.journal.take() == ["response", "data 3", "completed 0"])
        #expect(world.engine.takeWords() == ["answer 1 allow"])
    }

    // BEHAVIOUR 1.D5, 1.B13
    @Test(arguments: [false, true])
    func `a task that is suspended or cancelled before the answer waits for the machine`(isCancelled: Bool) {
        let task = startedTask(
            Asked(world.journal) { task, answer in
                if isCancelled { task.cancel() } else { task.suspend() }
                answer(.allow)
            })
        ask(task)
        world.queue.runAll()
        #expect(world.journal.take() == ["response"])
        #expect(world.engine.takeWords() == [isCancelled ? "cancel 1" : "suspend 1", "answer 1 allow"])
        if isCancelled { world.tell(task, .complete(Sample.cancelled)) } else { followUp(task) }
        world.queue.runAll()
        #expect(
            world.journal.take() == (isCancelled ? ["completed -999"] : ["data 3", "completed 0"]))
    }

    @Test func `cancelled after the answer, it is too late: the task ends well, and the machine hears both in order`() {
        let task = startedTask(Asked(world.journal, onData: { $0.cancel() }) { _, answer in answer(.allow) })
        ask(task)
        world.queue.runAll()
        #expect(world.journal.take() == ["response", "data 3", "completed 0"])
        #expect(world.engine.takeWords() == ["answer 1 allow", "cancel 1"])
    }

    // BEHAVIOUR 1.B1-3
    @Test func `an end that the machine decides while the dispatcher runs ahead finds nobody`() {
        let task = startedTask(world.spy("s"))
        ask(task)
        world.queue.runAll()
        _ = world.journal.take()
        // The loop had found the task just before it was claimed.
        let late = UserCall.complete(Failure(.timedOut, .environment, "late", url: Sample.reference))
        task.session?.dispatcher.arrived(late, for: task)
        task.session?.dispatcher.flush()
        world.queue.runAll()
        #expect(world.journal.take().isEmpty)
        #expect(task.error == nil)
    }

    // BEHAVIOUR 1.H1-cancel
    @Test func `in a session that was cancelled before the answer, the machine has the last word`() {
        let task = startedTask(
            Asked(world.journal) { task, answer in
                task.session?.invalidateAndCancel()
                answer(.allow)
            })
        ask(task)
        world.queue.runAll()
        #expect(world.journal.take() == ["response"])
        #expect(world.engine.takeWords() == ["invalidate, cancelling", "answer 1 allow"])
        world.tell(task, .complete(Sample.cancelled))
        world.queue.runAll()
        #expect(world.journal.take() == ["completed -999"])
    }

    @Test(arguments: [false, true])
    func `others that may wait for its connection do not wait for its delegate`(isAlone: Bool) {
        let owed = Lock<[Bool]>([])
        let task = startedTask(
            Asked(
                world.journal, onData: { [engine = world.engine] _ in owed.withLock { $0.append(engine.isOwedWake) } }
            ) { _, answer in answer(.allow) })
        if !isAlone { task.session?.dataTask(with: Sample.url).resume() }
        ask(task)
        world.queue.runAll()
        #expect(owed.withLock { $0 } == [isAlone])
        #expect(!world.engine.isOwedWake)
    }

    @Test func `an end that the machine has decided meanwhile stands`() {
        let task = startedTask(world.spy("s"))
        ask(task)
        world.tell(task, .complete(Failure(.timedOut, .environment, "late", url: Sample.reference)))
        world.queue.runAll()
        #expect(world.journal.take() == ["s didReceive response 200", "s didComplete -1001, state completed"])
        #expect(world.engine.takeWords() == ["answer 1 allow"])
    }
}

/// Notes data and completion, and answers nothing.
private final class DataOnly: NSObject, URLSessionDataDelegate, Sendable {
    private let journal: Journal

    init(_ journal: Journal) { self.journal = journal }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        journal.note("data \(data.count)")
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        journal.note("completed \((error as? URLError)?.code.rawValue ?? 0)")
    }
}

/// The same, and lets the test answer.
private final class Asked: NSObject, URLSessionDataDelegate, Sendable {
    typealias Answer = @Sendable (URLSession.ResponseDisposition) -> Void
    private let journal: Journal
    private let onData: @Sendable (URLSessionTask) -> Void
    private let onResponse: @Sendable (URLSessionTask, @escaping Answer) -> Void

    init(
        _ journal: Journal, onData: @escaping @Sendable (URLSessionTask) -> Void = { _ in },
        onResponse: @escaping @Sendable (URLSessionTask, @escaping Answer) -> Void
    ) {
        self.journal = journal
        self.onData = onData
        self.onResponse = onResponse
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping Answer
    ) {
        journal.note("response")
        onResponse(dataTask, completionHandler)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        onData(dataTask)
        journal.note("data \(data.count)")
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        journal.note("completed \((error as? URLError)?.code.rawValue ?? 0)")
    }
}
