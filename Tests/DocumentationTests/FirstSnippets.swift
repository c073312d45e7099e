// snippet
import Foundation
import SessionNetworking

// end
import ScriptedServer
import TestSupport
import Testing

/// Of the landing page and the article about FoundationNetworking.
@Suite(.endsInTime) struct FirstSnippets {
    @Test func `a request, and a body line by line`() async throws {
        let server = try await ScriptedServer.start {
            $0.get("/hello", reply: "hello")
            $0.get("/lines", reply: "one\ntwo\n")
        }
        let url = try #require(URL(string: server.url + "/hello"))
        let log = try #require(URL(string: server.url + "/lines"))
        // snippet
        let (data, response) = try await URLSession.shared.data(from: url)
        if (response as? HTTPURLResponse)?.statusCode == 200 {
            print(String(decoding: data, as: UTF8.self))
        }
        // end
        // snippet
        let (bytes, _) = try await URLSession.shared.bytes(from: log)
        for try await line in bytes.lines {
            print(line)
        }
        // end
        #expect(String(decoding: data, as: UTF8.self) == "hello")
        #expect(try await server.stop().isFulfilled)
    }

    @Test func `settings that Apple does not have`() {
        // snippet
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = 0.5
        configuration.maximumBodyBytesInMemory = 64 << 20
        let session = URLSession(configuration: configuration)
        // end
        #expect(session.configuration.maximumBodyBytesInMemory == 64 << 20)
        session.finishTasksAndInvalidate()
    }
}
