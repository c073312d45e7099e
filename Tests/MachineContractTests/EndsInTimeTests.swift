import Glibc
import TestSupport
import Testing

@Suite(.endsInTime) struct EndsInTimeTests {
    @Test func `a test that waits for ever ends the process, and is named`() async {
        let end = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
            try await EndsInTime(limit: .milliseconds(10)).watch("this one") {
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        }
        let words = String(decoding: end?.standardErrorContent ?? [], as: UTF8.self)
        #expect(words.contains("error: this one does not end\n"))
    }

    @Test func `a test that ends does so in its own way`() async throws {
        struct Trouble: Error {}
        try await EndsInTime().watch("this one") {}
        await #expect(throws: Trouble.self) { try await EndsInTime().watch("this one") { throw Trouble() } }
    }
}
