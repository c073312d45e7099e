import Dispatch
import Foundation
import TestSupport
import Testing

@testable import ClientLane

/// Where a session may call.
@Suite(.endsInTime) struct CallPlaceTests {
    private func fault(_ place: CallPlace, on run: (@escaping @Sendable () -> Void) -> Void) async -> String? {
        await withCheckedContinuation { continuation in
            withoutActuallyEscaping(run) { run in run { continuation.resume(returning: place.fault) } }
        }
    }

    @Test func `the queue that a session was given is the right place, any other is not`() async {
        let lane = DispatchQueue(label: "lane")
        let queue = CallersQueue(on: lane)
        let place = CallPlace(lane, queue)
        #expect(await fault(place) { queue.addOperation($0) } == nil)
        #expect(await fault(place) { lane.async(execute: $0) } == "past the queue that the session was given")
        let other = DispatchQueue(label: "other")
        #expect(await fault(place) { other.async(execute: $0) } == "outside of the delegate queue")
    }

    @Test(arguments: [1, 2])
    func `of each session that has such a queue it runs one call at once`(sessions: Int) async {
        let lane = DispatchQueue(label: "lane")
        let queue = CallersQueue(on: lane)
        let place = CallPlace(lane, queue)
        for _ in 1..<sessions { place.isGivenToAnother() }
        let found = await fault(place) { job in
            lane.suspend()
            queue.addOperation(job)
            queue.addOperation {}
            lane.resume()
        }
        #expect(found == (sessions == 1 ? "while more of the session's work could run at the same time" : nil))
    }

    @Test func `without a queue the session's own is the right place`() async {
        let lane = DispatchQueue(label: "lane")
        let place = CallPlace(lane, nil)
        #expect(await fault(place) { lane.async(execute: $0) } == nil)
    }
}
