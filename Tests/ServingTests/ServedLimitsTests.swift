import Judge
import Testing

@testable import Serving

@Suite struct ServedLimitsTests {
    @Test func `a number alone is one of connections, and the last word counts`() throws {
        #expect(try ServedLimits(["12000"]).server.connections == 12_000)
        #expect(try ServedLimits(["7", "connections=8"]).server.connections == 8)
        #expect(try ServedLimits([]) == ServedLimits())
    }

    @Test func `each has its name and its unit`() throws {
        let limits = try ServedLimits([
            "idle=5m", "scopes=9", "journal=100", "journal-size=2MiB", "waits=3", "control-connections=4",
            "control-body=8KiB",
        ])
        #expect(limits.server.idle == .seconds(300) && limits.server.scopes == 9 && limits.server.waits == 3)
        #expect(limits.server.journalRequests == 100 && limits.server.journalBytes == 2 << 20)
        #expect(limits.control.connections == 4 && limits.control.bodyBytes == 8 << 10)
        #expect(limits.server.connections == nil)
    }

    @Test func `a span is told in the words in which it is written`() throws {
        let error = #expect(throws: UsageError.self) { try ServedLimits(["idle=0s"]) }
        #expect(error?.description == "--limit idle=0s: '0s' is not from 1s to 8760h")
    }

    @Test(arguments: [
        "connections=", "0", "-1", "many", "idle=5", "idle=0s", "idle=1ms", "journal-size=1", "nonsense=1", "=1", "",
        "scopes=99999999999999999999", "waits=0",
    ])
    func `what is none is refused`(word: String) throws {
        let error = #expect(throws: UsageError.self) { try ServedLimits([word]) }
        #expect(error?.description.contains("--limit \(word)") == true)
    }
}
