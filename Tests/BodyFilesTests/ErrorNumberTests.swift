import Glibc
import Testing

@testable import BodyFiles

@Suite struct ErrorNumberTests {
    @Test func `a known number prints its symbol and the system's words`() {
        #expect(ErrorNumber(ENOSPC).description == "ENOSPC (No space left on device)")
    }

    @Test func `an unknown number prints itself`() {
        #expect(ErrorNumber(4095).description.hasPrefix("errno 4095 ("))
    }
}
