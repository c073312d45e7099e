import ClientMachines
import Foundation
import NIOPosix
import TestSupport
import Testing

@testable import SessionNetworking

@Suite(.endsInTime) struct SessionWorldTests {
    /// The caller holds the task's lock while the engine is told; on the engine's own loop that must not come back.
    @Test func `a task may be started and cancelled on the event loops themselves`() async throws {
        let session = URLSession(configuration: .ephemeral), refused = try #require(URL(string: "refused:"))
        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() {
            let error = await withCheckedContinuation { continuation in
                let task = session.dataTask(with: URLRequest(url: refused)) { _, _, error in
                    continuation.resume(returning: error as? URLError)
                }
                loop.execute { task.resume() }
            }
            #expect(error?.code == .unsupportedURL)
        }
        session.invalidateAndCancel()
    }
}
