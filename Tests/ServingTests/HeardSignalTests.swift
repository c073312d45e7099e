import Dispatch
import Foundation
import Testing

@testable import Serving

@Suite("Signals that are heard", .serialized)
struct HeardSignalTests {
    /// Once in a process: Dispatch does not listen again to a signal that nobody wanted meanwhile.
    @Test("None is lost that comes as soon as somebody listens")
    func atOnce() {
        let heard = StopSignal()
        let source = HeardSignal.source(SIGUSR1, queue: DispatchQueue(label: "test.signal")) { heard.raise() }
        kill(getpid(), SIGUSR1)
        #expect(heard.wait(atMost: .seconds(20)))
        withExtendedLifetime(source) {}
    }
}
