import ClientMachines
import Foundation
import TestSupport
import Testing

@testable import SessionNetworking

@Suite(.endsInTime) struct URLSessionUploadTaskTests {
    private let world = FakeWorld()

    // BEHAVIOUR 1.F2-handler
    @Test func `resume data can be waited for`() async throws {
        let task = world.makeSession().uploadTask(with: URLRequest(url: Sample.url), from: Data("abc".utf8))
        task.resume()
        async let data = task.cancelByProducingResumeData()
        while task.state != .canceling { await Task.yield() }
        let token = Sample.uploadToken
        world.tell(task, .complete(Failure(.cancelled, .caller, "", upload: token)))
        world.queue.runAll()
        let received = try #require(await data)
        #expect(UploadDataCoding.decode(received) == token)
        #expect((task.error as? URLError)?.uploadTaskResumeData == received)
    }

    @Test func `where there is none, nobody waits for ever`() async {
        #expect(await URLSessionUploadTask().cancelByProducingResumeData() == nil)
        let task = world.makeSession().uploadTask(with: URLRequest(url: Sample.url), from: Data())
        task.resume()
        world.tell(task, .complete(nil))
        world.queue.runAll()
        async let data = task.cancelByProducingResumeData()
        while world.queue.count == 0 { await Task.yield() }
        world.queue.runAll()
        #expect(await data == nil)
    }
}
