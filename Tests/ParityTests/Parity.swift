// One text, two modules: what compiles and holds in this folder holds with `import SessionNetworking` in place of
// `import FoundationNetworking`. The target ParityTestsOurs compiles it against ours, ParityTestsFoundation (whose
// folder holds a link to this one) against Foundation's. Where the two differ, Foundation's side is a known defect or a
// documented divergence, stands under `#if PARITY_FOUNDATION` and names its row of Documentation/BEHAVIOUR.md.
//
// One file per topic, each beginning with the same conditional import.
import Foundation
import Testing

func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

struct StandsStill: Error, CustomStringConvertible {
    let description = "The test stands still, and is left to itself."
}

/// What waits for a session is played in here: FoundationNetworking can leave its caller waiting for ever, deaf to
/// cancelling too. Then its test fails, and the others are run all the same.
func played(within seconds: Double = 30, _ test: @escaping @Sendable () async throws -> Void) async throws {
    let (ends, end) = AsyncThrowingStream<Never, any Error>.makeStream()
    let limit = DispatchSource.makeTimerSource()
    limit.setEventHandler { end.finish(throwing: StandsStill()) }
    limit.schedule(deadline: .now() + seconds)
    limit.resume()
    defer { limit.cancel() }
    Task {
        do {
            try await test()
            end.finish()
        } catch {
            end.finish(throwing: error)
        }
    }
    for try await _ in ends {}
}

@Suite("Time limit")
struct LimitParity {
    @Test func `a test that waits for ever fails`() async {
        await #expect(throws: StandsStill.self) {
            try await played(within: 0.01) { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
        }
    }

    @Test func `a test that ends does so in its own way`() async throws {
        try await played {}
        await #expect(throws: URLError.self) { try await played { throw URLError(.unknown) } }
    }
}
