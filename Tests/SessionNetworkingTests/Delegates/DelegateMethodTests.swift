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

    @Test func `each method belongs to one protocol`() {
        let all: [DelegateMethods] = [.ofSession, .ofTask, .ofData, .ofDownload]
        #expect(all.reduce(0) { $0 + $1.rawValue.nonzeroBitCount } == DelegateMethod.allCases.count)
        let union = all.reduce(into: DelegateMethods()) { $0.formUnion($1) }
        #expect(union.rawValue.nonzeroBitCount == DelegateMethod.allCases.count)
    }
}
