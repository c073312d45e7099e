import Testing

@testable import ScriptedServer

@Suite struct DescriptorLimitTests {
    @Test(arguments: [(1_048_576, 1_048_512), (4160, 4096), (1024, 960), (100, 36), (80, 20), (60, 15), (1, 1), (0, 1)])
    func `connections leave descriptors to the rest of the process`(descriptors: Int, peers: Int) {
        #expect(DescriptorLimit.room(descriptors: descriptors) == peers)
    }

    @Test func `more than is usual has to be wished for, and more than there is room for cannot be had`() {
        #expect(DescriptorLimit.peers() == min(4096, DescriptorLimit.room))
        #expect(DescriptorLimit.peers(wanted: 3) == 3)
        #expect(DescriptorLimit.peers(wanted: .max) == DescriptorLimit.room)
    }
}
