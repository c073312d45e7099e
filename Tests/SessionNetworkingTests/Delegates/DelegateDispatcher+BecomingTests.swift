import ClientMachines
import Foundation
import Locks
import Testing

@testable import SessionNetworking

/// A data task that becomes a download task.
@Suite struct BecomingTests {
    /// Keeps the task that the other one became.
    private final class Keeper: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
        let journal = Journal()
        let became = Lock<URLSessionDownloadTask?>(nil)

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            completionHandler(.becomeDownload)
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask
        ) {
            journal.note("became, identifiers \(dataTask.taskIdentifier) and \(downloadTask.taskIdentifier)")
            became.withLock { $0 = downloadTask }
        }

        func urlSession(
            _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
        ) {}

        func urlSession(
            _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
            totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
        ) {
            journal.note("wrote \(totalBytesWritten)")
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            journal.note("\(task is URLSessionDownloadTask ? "download" : "data") complete")
        }
    }

    private static func become(
        _ world: FakeWorld, _ keeper: Keeper
    ) throws -> (URLSessionDataTask, URLSessionDownloadTask) {
        let task = world.makeSession(delegate: keeper).dataTask(with: Sample.url)
        task.resume()
        _ = world.engine.takeInputs()
        world.ask(task, 1, .response(Sample.ok))
        world.queue.runAll()
        #expect(world.engine.takeInputs() == [.answer(QuestionID(1), .becomeDownload)])
        world.tell(task, .becameDownload)
        world.queue.runAll()
        return (task, try #require(keeper.became.withLock { $0 }))
    }

    // BEHAVIOUR 1.B14, 1.B14-identifier
    @Test func `all calls that follow are for the download task`() throws {
        let world = FakeWorld(), keeper = Keeper()
        let (task, download) = try Self.become(world, keeper)
        world.tell(task, .wrote(bytes: 2, total: 2, expected: 3), .complete(nil))
        world.queue.runAll()
        #expect(keeper.journal.take() == ["became, identifiers 1 and 1", "wrote 2", "download complete"])
        #expect(download.response === task.response && download.countOfBytesReceived == 2)
        #expect(download.state == .completed && download.originalRequest == task.originalRequest)
    }

    // BEHAVIOUR 1.B14-old
    @Test func `the data task is over, and what is done to it has no effect`() throws {
        let world = FakeWorld(), keeper = Keeper()
        let (task, download) = try Self.become(world, keeper)
        task.suspend()
        task.cancel()
        #expect(task.state == .completed && task.error == nil && download.state == .running)
        #expect(world.engine.takeInputs() == [])
        download.cancel()
        #expect(world.engine.takeWords() == ["cancel 1"])
    }

    // BEHAVIOUR 1.B14-identifier
    @Test func `a progress that is watched goes on`() throws {
        let world = FakeWorld(), keeper = Keeper()
        let task = world.makeSession(delegate: keeper).dataTask(with: Sample.url)
        let progress = task.progress
        task.resume()
        world.ask(task, 1, .response(Sample.ok))
        world.queue.runAll()
        world.tell(task, .becameDownload, .wrote(bytes: 2, total: 2, expected: 3))
        world.queue.runAll()
        #expect(progress.completedUnitCount == 2)
    }
}
