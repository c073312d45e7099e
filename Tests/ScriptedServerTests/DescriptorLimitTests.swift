import Testing

@testable import ScriptedServer

@Suite struct DescriptorLimitTests {
    @Test(arguments: [(1_048_576, 4096), (4160, 4096), (1024, 960), (100, 36), (80, 20), (60, 15), (1, 1), (0, 1)])
    func `connections leave descriptors to the rest of the process`(descriptors: Int, peers: Int) {
        #expect(DescriptorLimit.peers(descriptors: descriptors) == peers)
    }
}
