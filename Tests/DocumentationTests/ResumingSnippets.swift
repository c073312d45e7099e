import Foundation
import ScriptedServer
import SessionNetworking
import TestSupport
import Testing

// snippet
func file(from url: URL, saving saved: URL) async throws -> URL {
    do {
        let resumeData = try? Data(contentsOf: saved)
        let (file, _) =
            if let resumeData {
                try await URLSession.shared.download(resumeFrom: resumeData)
            } else {
                try await URLSession.shared.download(from: url)
            }
        try? FileManager.default.removeItem(at: saved)
        return file
    } catch let error as URLError {
        if let resumeData = error.downloadTaskResumeData {
            try resumeData.write(to: saved, options: .atomic)
        }
        throw error
    }
}
// end

// snippet
func pause(_ task: URLSessionDownloadTask, saving saved: URL) async throws {
    if let resumeData = await task.cancelByProducingResumeData() {
        try resumeData.write(to: saved, options: .atomic)
    }
}
// end

@Suite(.endsInTime) struct ResumingSnippets {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("snippets-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    @Test func `a download that is cut goes on where it was`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let whole = ServerReply.ok(.counter(1_000_000)).header("ETag", "\"1\"").ranged()
        let server = try await ScriptedServer.start {
            $0.get("/file", reply: whole.fin(at: .body(400_000)))
            $0.get("/file", where: [.present("If-Range")], reply: whole)
        }
        let url = try #require(URL(string: server.url + "/file")), saved = folder.appendingPathComponent("saved")
        await #expect(throws: URLError.self) { try await file(from: url, saving: saved) }
        let whereItIs = try await file(from: url, saving: saved)
        #expect(try Data(contentsOf: whereItIs).count == 1_000_000)
        try FileManager.default.removeItem(at: whereItIs)
        #expect(!FileManager.default.fileExists(atPath: saved.path))
        #expect(try await server.stop().isFulfilled)
    }

    @Test func `what has not begun leaves no resume data`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = try #require(URL(string: "http://127.0.0.1/none")), saved = folder.appendingPathComponent("saved")
        try await pause(URLSession.shared.downloadTask(with: url), saving: saved)
        #expect(!FileManager.default.fileExists(atPath: saved.path))
    }

    @Test func `an upload that is cut is continued by itself`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let film = folder.appendingPathComponent("film")
        try Data(repeating: 7, count: 1_000_000).write(to: film)
        let reply = ServerReply.status(201).keepingUploads(below: "/uploads/")
        let server = try await ScriptedServer.start {
            $0.post("/films", reply: reply.reset(at: .requestBody(500_000)))
            $0.route(nil, "/uploads/*", reply: reply)
        }
        let url = try #require(URL(string: server.url + "/films"))
        // snippet
        let configuration = URLSessionConfiguration.default
        configuration.resumableUploadVersion = .interop6
        let session = URLSession(configuration: configuration)

        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        let (_, response) = try await session.upload(for: request, fromFile: film)
        // end
        #expect((response as? HTTPURLResponse)?.statusCode == 201)
        session.finishTasksAndInvalidate()
        #expect(try await server.stop().requests.contains { $0.method == "HEAD" })
    }
}
