import Foundation
import ScriptedServer
import SessionNetworking
import TestSupport
import Testing

@Suite(.endsInTime) struct FormsSnippets {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("snippets-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    @Test func `a form with a file`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let photo = folder.appendingPathComponent("photo.jpg"), json = Data("{}".utf8), session = URLSession.shared
        try Data(repeating: 1, count: 100_000).write(to: photo)
        let server = try await ScriptedServer.start { $0.post("/form", reply: "thanks") }
        let url = try #require(URL(string: server.url + "/form"))
        // snippet
        var form = MultipartFormData()
        form.append("Ann", name: "user")
        form.append(json, name: "meta", contentType: "application/json")
        try form.append(contentsOf: photo, name: "photo", contentType: "image/jpeg")

        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setBody(form)
        let (answer, response) = try await session.data(for: request)
        // end
        #expect(String(decoding: answer, as: UTF8.self) == "thanks")
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        let verdict = try await server.stop()
        #expect(verdict.isFulfilled && verdict.requests.first?.bodyCount == Int(form.contentLength))
    }

    @Test func `a file in slices, by two protocols`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let movie = folder.appendingPathComponent("movie"), saved = folder.appendingPathComponent("state")
        try Data(repeating: 2, count: 600_000).write(to: movie)
        let session = URLSession.shared
        let server = try await ScriptedServer.start {
            $0.route("PUT", "/movie", where: [.present("Content-Range")], reply: .status(204))
            $0.route("POST", "/parts?*", reply: .status(204))
        }
        let url = try #require(URL(string: server.url + "/movie"))
        // snippet
        let upload = try SlicedUpload(session: session, fileURL: movie, to: url, stateURL: saved)
        try await upload.run()
        // end
        #expect(upload.progress.completedUnitCount == 600_000)
        #expect(!FileManager.default.fileExists(atPath: saved.path))
        let parts = try #require(URL(string: server.url + "/parts"))
        // snippet
        var options = SlicedUpload.Options()
        options.maximumConcurrentSlices = 2
        let custom = try SlicedUpload(session: session, fileURL: movie, options: options) { slice in
            let query = [URLQueryItem(name: "offset", value: String(slice.offset))]
            var request = URLRequest(url: parts.appending(queryItems: query))
            request.httpMethod = "POST"
            return request
        }
        try await custom.run()
        // end
        #expect(custom.state.storedLength == 600_000)
        #expect(try await server.stop().violationCount == 0)
    }
}
