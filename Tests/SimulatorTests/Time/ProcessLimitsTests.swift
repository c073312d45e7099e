import Glibc
import Testing

@testable import Simulator

@Suite struct ProcessLimitsTests {
    @Test("A turn within its limits is no finding")
    func within() {
        var meter = ProcessMeter(ProcessLimits(turn: .seconds(60), memory: 1 << 40))
        meter.turnBegan()
        meter.moved(1 << 30)
        #expect(meter.turnEnded() == nil)
    }

    @Test("A turn that takes too long is one")
    func slow() {
        var meter = ProcessMeter(ProcessLimits(turn: .nanoseconds(1), memory: 1 << 40))
        meter.turnBegan()
        #expect((0..<1000).reduce(0, +) == 499_500)
        #expect(meter.turnEnded()?.contains("of the processor") == true)
    }

    @Test("So is a run that grows, when enough has moved to look")
    func grown() {
        var meter = ProcessMeter(ProcessLimits(turn: .seconds(60), memory: -(1 << 40)))
        meter.turnBegan()
        #expect(meter.turnEnded() == nil)
        meter.moved(1 << 20)
        #expect(meter.turnEnded()?.hasPrefix("the run takes more than") == true)
    }

    /// A sanitizer's allocator gives nothing back on request: under the thread sanitizer a run uses again, and is not
    /// charged for, what an earlier one has used.
    private static let isSanitized = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil

    @Test(
        "A run is charged for memory that an earlier one has used and given back",
        .disabled(if: isSanitized, "a sanitizer's allocator gives nothing back"))
    func reused() {
        func pieces() -> [[UInt8]] { (1...4096).map { [UInt8](repeating: UInt8($0 & 255), count: 16 << 10) } }
        // The allocator keeps what lies below something that is still in use.
        let last = pieces().last
        var meter = ProcessMeter(ProcessLimits(turn: .seconds(60), memory: 32 << 20))
        meter.turnBegan()
        meter.moved(64 << 20)
        let held = pieces()
        #expect(meter.turnEnded()?.hasPrefix("the run takes more than") == true)
        #expect(held.last == last)
    }
}
