import Foundation
import SessionNetworking
import Testing

/// `understudy serve` as a process, asked by our own session.
@Suite struct ServeTests {
    private func serve(_ arguments: String...) throws -> (command: Command, url: String) {
        let command = try Command(
            ["serve", "scenarios/first/hello.yaml"] + arguments, in: try Folder(["first/hello": Sample.hello]))
        let line = try #require(command.line())
        let words = line.split(separator: " ")
        #expect(words.dropLast() == ["listening", "on"])
        return (command, String(try #require(words.last)))
    }

    private func get(_ url: String) async throws -> (body: String, status: Int?) {
        let (data, response) = try await URLSession(configuration: .ephemeral).data(
            from: try #require(URL(string: url)))
        return (String(decoding: data, as: UTF8.self), (response as? HTTPURLResponse)?.statusCode)
    }

    @Test func `once: the script is played and the verdict is the status`() async throws {
        let (command, url) = try serve("--once")
        let answer = try await get(url + "/hello")
        #expect(answer.body == "hello")
        let result = command.end()
        #expect(result.status == 0)
        #expect(result.output.contains("fulfilled"))
    }

    @Test func `what nobody expects gets 404 with what came closest`() async throws {
        let (command, url) = try serve("--once", "--quiet")
        let answer = try await get(url + "/helo")
        #expect(answer.status == 404)
        #expect(answer.body.contains("closest"))
        #expect(try await get(url + "/hello").body == "hello")
        #expect(command.end().status == 1)
    }

    @Test func `SIGHUP gives the round up, SIGTERM ends the server, and the worst round is the status`() async throws {
        let twice = Sample.hello.replacingOccurrences(of: "{request:", with: "{times: 2, request:")
        let command = try Command(
            ["serve", "scenarios/first/hello.yaml", "--quiet"], in: try Folder(["first/hello": twice]))
        let url = String(try #require(command.line()?.split(separator: " ").last))
        #expect(try await get(url + "/hello").body == "hello")
        kill(command.process.processIdentifier, SIGHUP)
        #expect(command.line() == "ABANDONED after 1 request, SIGHUP:")
        #expect(command.line()?.hasPrefix("  did not happen: GET /hello") == true)
        for _ in 0..<2 { #expect(try await get(url + "/hello").body == "hello") }
        kill(command.process.processIdentifier, SIGTERM)
        let result = command.end()
        #expect(result.status == 1)
        #expect(result.output.contains("2 rounds: 1 fulfilled, 1 ABANDONED"))
    }
}
