import ScriptedServer
import SessionNetworking
import XCTest

/// A server in a test of XCTest: what the client did is asserted at the test's own line.
final class GreetingTests: XCTestCase {
    func testTheClientAsksOnce() async throws {
        let server = try await ScriptedServer.start { $0.get("/hello", reply: .ok("hi")) }
        let (data, _) = try await URLSession.shared.data(from: try XCTUnwrap(URL(string: server.url + "/hello")))
        XCTAssertEqual(String(decoding: data, as: UTF8.self), "hi")
        let verdict = try await server.stop()
        XCTAssertTrue(verdict.isFulfilled, "\(verdict)")
    }

    func testTheVerdictSaysWhatTheClientDidWrong() async throws {
        let server = try await ScriptedServer.start { $0.get("/hello", reply: .ok("hi")) }
        _ = try await URLSession.shared.data(from: try XCTUnwrap(URL(string: server.url + "/helo")))
        let verdict = try await server.stop()
        XCTAssertFalse(verdict.isFulfilled)
        XCTAssertTrue("\(verdict)".contains("target: wanted /hello, got /helo"), "\(verdict)")
    }
}
