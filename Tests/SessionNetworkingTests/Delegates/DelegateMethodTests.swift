import Testing

@testable import SessionNetworking

@Suite struct DelegateMethodTests {
    /// A bit beyond the width would be none, and its method would never be remembered.
    @Test func `each method has a place of its own in a set of methods`() {
        let sets = DelegateMethod.allCases.map(DelegateMethods.init)
        #expect(sets.allSatisfy { $0.rawValue.nonzeroBitCount == 1 })
        #expect(Set(sets.map(\.rawValue)).count == sets.count)
        #expect(DelegateMethods.RawValue.bitWidth > sets.count)
    }
}
