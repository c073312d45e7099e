import NIOPosix
import ServerScript
import Testing

@testable import ScriptedServer

@Suite struct EventWatchTests {
    private func event(_ kind: ServerEvent.Kind = .accepted) -> ServerEvent {
        ServerEvent(peer: PeerID(0), exchange: 0, instant: .zero, kind: kind)
    }

    @Test func `it counts from nothing again in a new round, and in a scope that is opened anew`() {
        let promise = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: EventWait.self)
        let watch = EventWatch(2, in: "a", promise) { if case .accepted = $0.kind { true } else { false } }
        watch.missed = 3
        #expect(!watch.take(event()) && watch.seen == 1)
        #expect(!watch.take(event(.startedOver)) && watch.seen == 0 && watch.missed == 0)
        #expect(!watch.take(event()))
        watch.restart()
        #expect(watch.seen == 0 && !watch.take(event()))
        #expect(watch.take(event()))
    }
}
