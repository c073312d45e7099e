import Testing

@testable import ClientMachines

@Suite struct IdentifiersTests {
    @Test func `identifiers come in the order in which they were given`() {
        #expect(TaskID(1) < TaskID(2))
        #expect(!(TaskID(1) < TaskID(1)))
        #expect(ConnectionID(1) < ConnectionID(2))
        #expect(!(ConnectionID(1) < ConnectionID(1)))
    }
}
