import HTTPBasics
import Testing

@testable import ServerScript

@Suite struct AgendaTests {
    private func at(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }

    @Test("The earliest is first, whatever the order in which they come and go")
    func order() {
        var wakeTimes = WakeTimes()
        for (peer, time) in [(0, 30), (1, 10), (2, 20), (3, 10)] as [(Int, Int64)] {
            wakeTimes.move(PeerID(peer), from: nil, to: at(time))
        }
        #expect(wakeTimes.first == at(10))
        wakeTimes.move(PeerID(1), from: at(10), to: nil)
        #expect(wakeTimes.first == at(10))
        wakeTimes.move(PeerID(3), from: at(10), to: at(40))
        #expect(wakeTimes.first == at(20))
        wakeTimes.move(PeerID(0), from: at(30), to: at(5))
        #expect(wakeTimes.first == at(5))
        for (peer, time) in [(0, 5), (2, 20), (3, 40)] as [(Int, Int64)] {
            wakeTimes.move(PeerID(peer), from: at(time), to: nil)
        }
        #expect(wakeTimes.first == nil)
    }

    @Test("What is due is told in the order of acceptance")
    func due() {
        var wakeTimes = WakeTimes()
        for (peer, time) in [(2, 10), (0, 20), (1, 15), (3, 21)] as [(Int, Int64)] {
            wakeTimes.move(PeerID(peer), from: nil, to: at(time))
        }
        #expect(wakeTimes.due(at: at(20)) == [PeerID(0), PeerID(1), PeerID(2)])
        #expect(wakeTimes.due(at: at(9)) == [])
    }
}
