import ClientLane
import Foundation
import HTTPBasics
import Judge
import JudgeTestSupport
import Locks
import ScenarioFormat
import ServerScript
import SessionNetworking
import TestSupport
import Testing

@testable import ClientLane

/// What is seen in every case over sockets, by clients that are wrong in one way each.
@Suite(.endsInTime, .serialized) struct SocketDriverTests {
    private func breaches(_ make: @escaping SocketDriver.MakeSession) throws -> [String] {
        let observation = try SocketDriver(make).play(Sample.get, style: .delegate)
        // The process of the tests has threads of its own.
        return Invariants.breaches(in: observation).map(\.summary).filter { !$0.hasSuffix(" threads") }
    }

    @Test func `nothing is wrong with ours`() throws {
        #expect(try breaches(LaneSession.make) == [])
    }

    // Such a session makes a race within the lane: the thread sanitizer ends the run before the lane can find it.
    #if !THREAD_SANITIZER
    @Test func `a session that calls from a queue of its own is found`() throws {
        let found = try breaches { player, configuration, _, server, directory, recorder in
            let other = OperationQueue()
            other.maxConcurrentOperationCount = 1
            return try LaneSession.make(for: player, configuration, other, server, directory, recorder)
        }
        #expect(found.contains("'complete' came outside of the delegate queue"))
    }
    #endif

    @Test func `a session whose delegate stays is found`() throws {
        let kept = Lock<[any URLSessionDelegate]>([])
        let found = try breaches { player, configuration, queue, server, directory, recorder in
            let session = try LaneSession.make(for: player, configuration, queue, server, directory, recorder)
            kept.withLock { $0 += [session.delegate].compactMap { $0 } }
            return session
        }
        #expect(found == ["a RecordingDelegate outlives its session"])
    }

    @Test func `a session that has not copied its configuration is found`() throws {
        let found = try breaches { player, configuration, queue, server, directory, recorder in
            configuration.httpAdditionalHeaders = ["X-Understudy-Late": "1"]
            return try LaneSession.make(for: player, configuration, queue, server, directory, recorder)
        }
        #expect(found == ["a field went out that the configuration got after the session was made"])
    }
}
