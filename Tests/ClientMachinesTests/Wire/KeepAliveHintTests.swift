import HTTPBasics
import Testing

@testable import ClientMachines

/// BEHAVIOUR 2.F5-hint.
@Suite struct KeepAliveHintTests {
    @Test(arguments: [
        ("timeout=5", 5), ("timeout=5, max=100", 5), ("max=100,timeout=5", 5), (" Timeout = 5 ", 5), ("timeout=0", 0),
        ("timeout=5, timeout=6", 5),
    ])
    func `the first timeout counts`(value: String, seconds: Int64) {
        #expect(timeout([value]) == .seconds(seconds))
    }

    @Test(arguments: ["", "timeout", "timeout=", "timeout=x", "timeout=-1", "timeout=1.5", "timeouts=5", "5", "max=5"])
    func `anything else says nothing`(value: String) {
        #expect(timeout([value]) == nil)
    }

    @Test func `several fields are one list`() {
        #expect(timeout(["max=3", "timeout=7"]) == .seconds(7))
        #expect(timeout([]) == nil)
    }

    private func timeout(_ values: [String]) -> Duration? {
        KeepAliveHint.timeout(in: ResponseHead(status: 200, Fields(values.map { Fields.Field("keep-alive", $0) })))
    }
}
