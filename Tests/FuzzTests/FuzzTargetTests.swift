import NIOCore
import Testing

@testable import fuzz

/// What the fuzzer once found interesting stays right without a fuzzer.
@Suite struct FuzzTargetTests {
    @Test(arguments: FuzzTarget.allCases)
    func `every file of the corpus holds what its target demands`(target: FuzzTarget) throws {
        let paths = target.corpus
        #expect(!paths.isEmpty)
        for path in paths {
            let bytes = try #require(FuzzTarget.contents(of: path), "\(path)")
            #expect(throws: Never.self, "\(path)") { try target.check(ByteBuffer(bytes: bytes)) }
        }
    }

    @Test(arguments: FuzzTarget.allCases)
    func `nothing at all is an input too`(target: FuzzTarget) throws { try target.check(ByteBuffer()) }

    @Test func `what does not hold is a violation that says so`() {
        let violation = #expect(throws: Violation.self) { try demand(1, equals: 2, "one is two") }
        #expect(violation?.description == "one is two\n  wanted 2\n  got    1")
    }
}
