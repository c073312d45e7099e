import HTTPBasics
import Testing

@testable import Simulator

@Suite struct VirtualClockTests {
    @Test func `the wall clock runs with the monotonic one from where it was set`() {
        var clock = VirtualClock(date: UnixTime(seconds: 1_000))
        clock.advance(to: .zero + .milliseconds(90_500))
        #expect(clock.date == UnixTime(seconds: 1_090))
        clock.setDate(UnixTime(seconds: 5))
        #expect(clock.now == .zero + .milliseconds(90_500))
        clock.advance(to: .zero + .seconds(100))
        #expect(clock.date == UnixTime(seconds: 15))
    }

    @Test func `time never goes backwards`() {
        var clock = VirtualClock()
        clock.advance(to: .zero + .seconds(2))
        clock.advance(to: .zero + .seconds(1))
        #expect(clock.now == .zero + .seconds(2))
    }
}
