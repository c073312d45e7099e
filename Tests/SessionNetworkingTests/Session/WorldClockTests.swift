import Foundation
import HTTPBasics
import MachineContract
import Testing

@testable import SessionNetworking

@Suite struct WorldClockTests {
    @Test(arguments: [(12.75, 12), (0, 0), (-0.25, -1)] as [(Double, Int64)])
    func `a moment has the clocks and the randomness of its world`(date: Double, seconds: Int64) {
        let instant = Instant(nanoseconds: 7)
        let clock = WorldClock(
            instant: { instant }, date: { Date(timeIntervalSince1970: date) }, entropy: { 9 })
        #expect(clock.moment() == Moment(instant: instant, date: UnixTime(seconds: seconds), entropy: 9))
    }
}
