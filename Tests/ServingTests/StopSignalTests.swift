import Foundation
import TestSupport
import Testing

@testable import Serving

@Suite("A signal to stop", .endsInTime)
struct StopSignalTests {
    @Test("Raised more often than a pipe has room for, it does not block and stays raised")
    func oftenRaised() {
        let signal = StopSignal()
        let done = StopSignal()
        Thread {
            for _ in 0..<70_000 { signal.raise() }
            done.raise()
        }.start()
        #expect(done.wait(atMost: .seconds(20)))
        #expect(signal.isRaised)
    }

    @Test("Who waits for any of several goes on with the first")
    func anyOfSeveral() {
        let (first, second) = (StopSignal(), StopSignal())
        second.raise()
        StopSignal.waitForAny(of: [first, second])
        #expect(!first.isRaised && second.isRaised)
    }
}
