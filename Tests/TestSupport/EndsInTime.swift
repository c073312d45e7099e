import Dispatch
import Glibc
import Testing

/// Ends the process when one of the suite's tests takes far longer than any may: it waits for something that does not
/// come, and most of what a test waits for cannot be cancelled. The run would stand still until CI ends it, and nobody
/// would know which test it was.
package struct EndsInTime: SuiteTrait, TestTrait, TestScoping {
    /// A sanitizer makes tests fifteen times slower.
    private let limit: DispatchTimeInterval

    package init(limit: DispatchTimeInterval = .seconds(120)) { self.limit = limit }

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing run: @Sendable () async throws -> Void
    ) async throws {
        let place = test.sourceLocation
        try await watch("\(place.fileID):\(place.line): \"\(test.displayName ?? test.name)\"", run)
    }

    package func watch(_ name: String, _ run: () async throws -> Void) async throws {
        // Not a Swift task: the threads that run those may all be waiting.
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "EndsInTime"))
        timer.setEventHandler {
            let words = "error: \(name) does not end\n"
            _ = write(STDERR_FILENO, words, words.utf8.count)
            // Swift prints what the threads do.
            abort()
        }
        timer.schedule(deadline: .now() + limit)
        timer.resume()
        defer { timer.cancel() }
        try await run()
    }
}

extension Trait where Self == EndsInTime {
    package static var endsInTime: EndsInTime { EndsInTime() }
}
