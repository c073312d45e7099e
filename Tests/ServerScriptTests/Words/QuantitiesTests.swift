import Testing

@testable import ServerScript

@Suite("Quantities")
struct QuantitiesTests {
    @Test(
        "durations carry a unit",
        arguments: [
            ("0ms", Duration.zero), ("900ms", .milliseconds(900)), ("1s", .seconds(1)), ("2m", .seconds(120)),
            ("1h", .seconds(3600)), ("7d", .seconds(604_800)), ("36500d", .seconds(36_500 * 86_400)),
        ])
    func durations(text: String, wanted: Duration) {
        guard case .value(let value) = Quantities.duration(text) else {
            Issue.record("\(text) was refused")
            return
        }
        #expect(value == wanted)
    }

    @Test(
        "what is no duration is refused",
        arguments: [
            "", "5", "ms", "1.5s", "-1s", "1 s", "1S", "01s", "36501d", "99999999999999999999s", "9999999999999999d",
            "٣s",
        ])
    func wrongDurations(text: String) {
        if case .value(let value) = Quantities.duration(text) { Issue.record("\(text) was read as \(value)") }
    }

    @Test(
        "sizes are bytes, powers of 1000 or powers of 1024",
        arguments: [
            ("0B", 0), ("12B", 12), ("300KB", 300_000), ("64KiB", 65_536), ("1MB", 1_000_000), ("1MiB", 1_048_576),
            ("2GB", 2_000_000_000), ("1GiB", 1 << 30),
        ])
    func sizes(text: String, wanted: Int) {
        guard case .value(let value) = Quantities.size(text, allowsBare: false) else {
            Issue.record("\(text) was refused")
            return
        }
        #expect(value == wanted)
    }

    @Test(
        "what is no size is refused", arguments: ["", "4", "KiB", "1kb", "1 MiB", "-1B", "1e3B", "99999999GiB", "1TiB"])
    func wrongSizes(text: String) {
        if case .value(let value) = Quantities.size(text, allowsBare: false) {
            Issue.record("\(text) was read as \(value)")
        }
    }

    @Test("a bare number counts bytes where that is allowed")
    func bare() {
        guard case .value(4) = Quantities.size("4", allowsBare: true) else {
            Issue.record("4 was refused")
            return
        }
    }

    @Test(
        "integers have one spelling",
        arguments: ["", "010", "0x1F", "+5", "-5", "1_000", "1e3", "1.0", "99999999999999999999"])
    func wrongIntegers(text: String) {
        if case .value(let value) = Quantities.integer(text) { Issue.record("\(text) was read as \(value)") }
    }
}
