import Foundation
import ScriptedServer
import TestSupport
import Testing

@testable import ScriptedServerTesting

@Suite(.endsInTime) struct ScriptedServerFileTests {
    private static func description(of error: (any Error)?) -> String { error.map { "\($0)" } ?? "" }

    @Test func `a file's mistakes are named with their places`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).yaml").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data("server:\n  - {request: GET /a, replay: {body: hi}}\n".utf8).write(to: URL(fileURLWithPath: file))
        let error = await #expect(throws: ScriptedServerError.self) { try await ScriptedServer.start(file: file) }
        #expect(Self.description(of: error).contains(".yaml:2:23: error: unknown key 'replay'"))
    }

    @Test func `a file that is not there is said to be missing`() async {
        let error = await #expect(throws: ScriptedServerError.self) { try await ScriptedServer.start(file: "/no/such") }
        #expect(Self.description(of: error).contains("/no/such: error: cannot be read"))
    }

    @Test func `a case is chosen by its name`() async throws {
        let file = "scenarios/redirect/post-becomes-get.yaml"
        let server = try await ScriptedServer.start(file: file, case: "302")
        try await server.stop()
        let error = await #expect(throws: ScriptedServerError.self) {
            try await ScriptedServer.start(file: file, case: "999")
        }
        #expect(Self.description(of: error).contains("\(file) has no case '999'; it has: 301, 302"))
    }
}
