import Testing

@testable import ClientMachines

@Suite struct SliceSizingTests {
    private let settings = SliceSettings(first: 1000, smallest: 100, largest: 10_000, span: .seconds(2))

    // BEHAVIOUR 3.B1-length
    @Test func `a slice becomes as long as what goes out in its time, by steps of two`() {
        var sizing = SliceSizing(settings)
        #expect(sizing.length == 1000)
        sizing.measured(1000, in: .milliseconds(100))
        #expect(sizing.length == 2000, "10000 bytes a second would be 20000, but one step doubles at most")
        sizing.measured(2000, in: .seconds(20))
        #expect(sizing.length == 4000, "100 and 10000 a second are 5050 on average: 10100 bytes")
        for _ in 0..<20 { sizing.measured(1000, in: .seconds(1)) }
        #expect(sizing.length == 2000, "1000 a second, for two seconds")
    }

    // BEHAVIOUR 3.B1-length
    @Test func `it stays within its bounds`() {
        var sizing = SliceSizing(settings)
        for _ in 0..<10 { sizing.failed() }
        #expect(sizing.length == 100)
        for _ in 0..<10 { sizing.measured(.max, in: .zero) }
        #expect(sizing.length == 10_000)
        for _ in 0..<80 { sizing.measured(1, in: .seconds(100_000)) }
        #expect(sizing.length == 100)
    }

    @Test func `settings are brought into their bounds`() {
        let odd = SliceSettings(
            first: 0, smallest: -5, largest: -7, span: .zero, parallel: 0, attempts: -1, pause: .zero,
            longestPause: .zero)
        #expect(odd.smallest == 1 && odd.first == 1 && odd.largest == 1)
        #expect(odd.parallel == 1 && odd.attempts == 1)
        let huge = SliceSettings(first: .max, smallest: .max, largest: .max, span: .seconds(1 << 40))
        #expect(huge.largest == SliceSettings.largestSlice && huge.first == huge.largest)
        #expect(huge.span == .seconds(3600))
    }
}
