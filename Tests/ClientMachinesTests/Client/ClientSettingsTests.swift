import HTTPBasics
import Testing

@testable import ClientMachines

@Suite struct ClientSettingsTests {
    // BEHAVIOUR 2.I1, 2.I36
    @Test func `what a peer may make us hold is bounded as documented`() {
        let limits = WireLimits()
        #expect(limits.headBytes == 262_144)
        #expect(limits.fieldCount == 5000)
        #expect(limits.informationalResponses == 100)
        #expect(limits.chunkLineBytes == 16_384)
        #expect(limits.trailerBytes == 65_536)
        #expect(limits.drainBytes == 65_536)
        #expect(limits.drainTime == .seconds(1))
    }

    @Test func `a session keeps six connections for a minute, and a window of 2 MiB`() {
        let settings = ClientSettings()
        #expect(settings.connectionsPerHost == 6)
        #expect(settings.patience.idle == .seconds(60))
        #expect(settings.deliveryWindow == 2_097_152)
    }
}
