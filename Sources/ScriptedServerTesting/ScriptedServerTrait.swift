import ScriptedServer
import Testing

/// Gives each case of a test a server of its own, and fails the test at its line if the script was not played as it
/// stands.
///
/// ```swift
/// @Test(.scriptedServer { $0.get("/a", reply: "hi") })
/// func `greets`() async throws {
///     let server = try #require(ScriptedServer.current)
///     let (data, _) = try await URLSession.shared.data(from: URL(string: server.url + "/a")!)
///     #expect(String(decoding: data, as: UTF8.self) == "hi")
/// }
/// ```
///
/// The server begins before the test's body and ends behind it, at once: no client is waited for. On a suite, each test
/// of the suite has one.
public struct ScriptedServerTrait: TestTrait, SuiteTrait, TestScoping {
    let start: @Sendable () async throws -> ScriptedServer

    /// A test of a suite has a server of its own.
    public var isRecursive: Bool { true }

    /// For the testing library: runs a case of a test with a server.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        // A suite as a whole has none.
        guard testCase != nil else { return try await body() }
        let server = try await start()
        do {
            try await ScriptedServer.$current.withValue(server, operation: body)
        } catch {
            try await judge(server, at: test.sourceLocation)
            throw error
        }
        try await judge(server, at: test.sourceLocation)
    }

    private func judge(_ server: ScriptedServer, at location: SourceLocation) async throws {
        let verdict = try await server.stop()
        if !verdict.isFulfilled { Issue.record("\(verdict)", sourceLocation: location) }
    }
}

extension ScriptedServer {
    /// The server that a `ScriptedServerTrait` gave to the test that is running. Nil elsewhere, also in detached tasks
    /// and on other threads.
    @TaskLocal public static var current: ScriptedServer?
}

extension Trait where Self == ScriptedServerTrait {
    /// A server whose script `build` writes, for each case of the test.
    ///
    /// - Parameters:
    ///   - seed: Decides which faults with a probability happen; the same seed, the same faults.
    ///   - build: Adds steps and routes to an empty script.
    public static func scriptedServer(
        seed: UInt64 = 0, _ build: @escaping @Sendable (inout ScriptBuilder) -> Void
    ) -> Self {
        Self { try await ScriptedServer.start(seed: seed, build) }
    }

    /// A server that plays the server's side of a scenario file, for each case of the test.
    ///
    /// - Parameters:
    ///   - file: The file's path. A relative one is seen from the working folder, which is the package's own under
    ///     `swift test`.
    ///   - caseName: Which of the file's cases; the first without it.
    ///   - seed: Decides which faults with a probability happen; the same seed, the same faults.
    public static func scriptedServer(file: String, case caseName: String? = nil, seed: UInt64 = 0) -> Self {
        Self { try await ScriptedServer.start(file: file, case: caseName, seed: seed) }
    }

    /// A server without a port whose script `build` writes, for each case of the test: what the sessions of
    /// `URLSessionConfiguration.reaching(_:)` reach, of the product `InProcessServer`.
    ///
    /// - Parameters:
    ///   - seed: Decides which faults with a probability happen; the same seed, the same faults.
    ///   - build: Adds steps and routes to an empty script.
    public static func inProcessServer(
        seed: UInt64 = 0, _ build: @escaping @Sendable (inout ScriptBuilder) -> Void
    ) -> Self {
        Self { try await ScriptedServer.startInProcess(seed: seed, build) }
    }

    /// A server without a port that plays the server's side of a scenario file, for each case of the test.
    ///
    /// - Parameters:
    ///   - file: The file's path. A relative one is seen from the working folder, which is the package's own under
    ///     `swift test`.
    ///   - caseName: Which of the file's cases; the first without it.
    ///   - seed: Decides which faults with a probability happen; the same seed, the same faults.
    public static func inProcessServer(file: String, case caseName: String? = nil, seed: UInt64 = 0) -> Self {
        Self { try await ScriptedServer.startInProcess(file: file, case: caseName, seed: seed) }
    }
}
