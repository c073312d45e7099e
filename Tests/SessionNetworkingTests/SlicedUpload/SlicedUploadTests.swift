import Foundation
import Locks
import ScriptedServer
import TestSupport
import Testing

@testable import SessionNetworking

@Suite(.endsInTime) struct SlicedUploadTests {
    private static let text = String(repeating: "0123456789", count: 1000)

    /// What a server was sent, put together.
    private func assembled(_ requests: [ReceivedRequest], size: Int) throws -> (bytes: [UInt8?], repeated: Int) {
        var bytes = [UInt8?](repeating: nil, count: size), repeated = 0
        for request in requests {
            let range = try #require(request.header("Content-Range")).dropFirst("bytes ".count)
            let numbers = range.split { $0 == "-" || $0 == "/" }.compactMap { Int($0) }
            #expect(numbers.count == 3 && numbers[2] == size)
            #expect(request.body.count == numbers[1] - numbers[0] + 1)
            for (offset, byte) in request.body.enumerated() {
                if bytes[numbers[0] + offset] != nil { repeated += 1 }
                bytes[numbers[0] + offset] = byte
            }
        }
        return (bytes, repeated)
    }

    private func options(_ length: Int) -> SlicedUpload.Options {
        var options = SlicedUpload.Options()
        (options.initialSliceLength, options.minimumSliceLength, options.maximumSliceLength) = (length, length, length)
        options.retryDelay = 0.001
        return options
    }

    // BEHAVIOUR 3.B1-parallel 3.B1-state
    @Test func `a file goes out in slices, and the state goes when all is there`() async throws {
        let folder = try TestFolder()
        let file = try folder.write(Self.text)
        let saved = folder.url.appendingPathComponent("state")
        let server = try await ScriptedServer.start { $0.route("PUT", "/file", reply: .status(204)) }
        let session = URLSession(configuration: .ephemeral)
        let url = try #require(URL(string: server.url + "/file"))
        let upload = try SlicedUpload(session: session, fileURL: file, to: url, stateURL: saved, options: options(900))
        #expect(upload.progress.totalUnitCount == 10_000)
        try await upload.run()
        #expect(upload.progress.fractionCompleted == 1)
        #expect(upload.state.storedLength == 10_000)
        #expect(!FileManager.default.fileExists(atPath: saved.path))
        let again = await #expect(throws: URLError.self) { try await upload.run() }
        #expect(again?.code == .cancelled)
        session.invalidateAndCancel()
        let verdict = try await server.stop()
        let (bytes, repeated) = try assembled(verdict.requests, size: 10_000)
        #expect(bytes == Array(Self.text.utf8).map(Optional.some))
        #expect(repeated == 0)
        #expect(verdict.requests.count == 12)
        #expect(Set(verdict.requests.map(\.connection)).count <= 4)
    }

    // BEHAVIOUR 3.B1-state 3.B1-status
    @Test func `a refused upload goes on later with what is missing`() async throws {
        let folder = try TestFolder()
        let file = try folder.write(Self.text)
        let saved = folder.url.appendingPathComponent("state")
        let server = try await ScriptedServer.start { script in
            script.expect("PUT", "/file", times: 3, reply: .status(201))
            script.expect("PUT", "/file", reply: .status(403))
            script.expect("PUT", "/file", times: 7, reply: .status(201))
        }
        let session = URLSession(configuration: .ephemeral)
        let url = try #require(URL(string: server.url + "/file"))
        var options = options(1000)
        options.maximumConcurrentSlices = 1
        let first = try SlicedUpload(session: session, fileURL: file, to: url, stateURL: saved, options: options)
        let error = await #expect(throws: URLError.self) { try await first.run() }
        #expect(error?.code == .badServerResponse)
        #expect(error?.localizedDescription == "The server answered 403 to bytes 3000 to 3999 of the file.")
        #expect(first.progress.completedUnitCount == 3000)
        let data = try JSONEncoder().encode(first.state)
        #expect(try JSONDecoder().decode(SlicedUpload.State.self, from: data) == first.state)
        let second = try SlicedUpload(session: session, fileURL: file, to: url, stateURL: saved, options: options)
        #expect(second.state == first.state)
        try await second.run()
        session.invalidateAndCancel()
        let verdict = try await server.stop()
        #expect(verdict.isFulfilled, "\(verdict)")
        let (bytes, repeated) = try assembled(verdict.requests, size: 10_000)
        #expect(bytes == Array(Self.text.utf8).map(Optional.some))
        #expect(repeated == 1000)
    }

    // BEHAVIOUR 3.B1-queue 3.B1-pause
    @Test func `slices that fail for a while are sent again`() async throws {
        let folder = try TestFolder()
        let file = try folder.write(Self.text)
        let server = try await ScriptedServer.start { script in
            script.expect("POST", "/file?at=0", reply: .status(503).header("Retry-After", "0"))
            script.expect("POST", "/file?at=0", reply: .fin())
            for offset in [0, 4000, 8000] { script.expect("POST", "/file?at=\(offset)", reply: .status(200)) }
        }
        let session = URLSession(configuration: .ephemeral)
        var options = options(4000)
        options.maximumConcurrentSlices = 1
        let base = server.url
        let attempts = Lock<[Int]>([])
        let upload = try SlicedUpload(session: session, fileURL: file, options: options) { slice in
            attempts.withLock { $0.append(slice.attempt) }
            guard let url = URL(string: "\(base)/file?at=\(slice.offset)") else { throw URLError(.badURL) }
            var request = URLRequest(url: url)
            request.httpMethod = "POST"
            return request
        }
        try await upload.run()
        session.invalidateAndCancel()
        let verdict = try await server.stop()
        #expect(verdict.isFulfilled, "\(verdict)")
        #expect(attempts.withLock { $0 } == [1, 2, 3, 1, 1])
    }

    // BEHAVIOUR 3.B1-changed
    @Test func `a file that was written to ends the upload, and does not go with a state of before`() async throws {
        let folder = try TestFolder()
        let file = try folder.write(Self.text)
        let server = try await ScriptedServer.start { $0.route("PUT", "/file", reply: .status(204)) }
        let session = URLSession(configuration: .ephemeral)
        let url = try #require(URL(string: server.url + "/file"))
        let upload = try SlicedUpload(session: session, fileURL: file) { _ in URLRequest(url: url) }
        try folder.overwrite(file, with: "another")
        let error = await #expect(throws: URLError.self) { try await upload.run() }
        #expect(error?.code == .cannotOpenFile)
        let state = upload.state
        let other = #expect(throws: URLError.self) {
            try SlicedUpload(session: session, fileURL: file, state: state) { _ in URLRequest(url: url) }
        }
        #expect(other?.code == .cannotDecodeRawData)
        session.invalidateAndCancel()
        _ = try await server.stop()
    }

    // BEHAVIOUR 3.B1-changed
    @Test func `a file that is written to while slices are on their way ends the upload`() async throws {
        let folder = try TestFolder()
        let file = try folder.write(Self.text)
        let server = try await ScriptedServer.start { $0.route("PUT", "/file", reply: .status(204)) }
        let session = URLSession(configuration: .ephemeral)
        let url = try #require(URL(string: server.url + "/file"))
        var options = options(1000)
        options.maximumConcurrentSlices = 1
        let upload = try SlicedUpload(session: session, fileURL: file, options: options) { slice in
            if slice.offset == 3000 { try TestFolder.age(file) }
            var request = URLRequest(url: url)
            request.httpMethod = "PUT"
            return request
        }
        let error = await #expect(throws: URLError.self) { try await upload.run() }
        #expect(error?.code == .cannotOpenFile)
        #expect(error?.localizedDescription.contains("it was written to") == true)
        #expect(upload.state.storedLength == 3000)
        session.invalidateAndCancel()
        let verdict = try await server.stop()
        #expect(verdict.requests.count == 3)
        #expect(verdict.requests.allSatisfy { $0.bodyCount == 1000 })
    }

    // BEHAVIOUR 3.B1-state
    @Test func `what is no state, and no file, is refused by name`() throws {
        let folder = try TestFolder()
        let file = try folder.write("abc"), empty = try folder.write("", as: "empty")
        let garbage = try folder.write("{\"format\":1}", as: "garbage")
        let session = URLSession(configuration: .ephemeral)
        let url = try #require(URL(string: "http://a.test/"))
        let none = folder.url.appendingPathComponent("none"), pipe = folder.url.appendingPathComponent("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        let long = try folder.write(String(repeating: " ", count: 2 << 20), as: "long")
        let cases: [(URL, URL, URLError.Code)] = [
            (file, pipe, .cannotOpenFile), (file, folder.url, .cannotOpenFile),
            (file, URL(fileURLWithPath: "/dev/zero"), .cannotOpenFile), (file, long, .cannotDecodeRawData),
            (file, garbage, .cannotDecodeRawData), (empty, none, .zeroByteResource), (none, none, .fileDoesNotExist),
            (folder.url, none, .fileIsDirectory),
        ]
        for (fileURL, stateURL, code) in cases {
            let error = #expect(throws: URLError.self) {
                try SlicedUpload(session: session, fileURL: fileURL, to: url, stateURL: stateURL)
            }
            #expect(error?.code == code)
        }
    }

    // BEHAVIOUR 3.B1-state
    @Test(arguments: [
        "[[0,4]]", "[[-1,1]]", "[[2,1]]", "[[1]]", "[[1,1]]", "7", "[[0,1],[2,3]]",
    ]) func `a state holds ranges of its file only`(ranges: String) throws {
        let text = "{\"format\":1,\"file\":{\"size\":3,\"modified\":0},\"stored\":\(ranges)}"
        let state = try? JSONDecoder().decode(SlicedUpload.State.self, from: Data(text.utf8))
        #expect((state != nil) == (ranges == "[[0,1],[2,3]]"))
        #expect(state?.storedLength ?? 2 == 2)
        let later = text.replacing("\"format\":1", with: "\"format\":2")
        #expect((try? JSONDecoder().decode(SlicedUpload.State.self, from: Data(later.utf8))) == nil)
    }

    // BEHAVIOUR 3.B1-state
    @Test func `a state that cannot be saved ends the upload`() async throws {
        let folder = try TestFolder()
        let file = try folder.write(Self.text)
        let server = try await ScriptedServer.start { $0.route("PUT", "/file", reply: .status(204)) }
        let session = URLSession(configuration: .ephemeral)
        let url = try #require(URL(string: server.url + "/file"))
        let nowhere = folder.url.appendingPathComponent("no/such/folder")
        let upload = try SlicedUpload(
            session: session, fileURL: file, to: url, stateURL: nowhere, options: options(900))
        let error = await #expect(throws: URLError.self) { try await upload.run() }
        #expect(error?.code == .cannotWriteToFile)
        session.invalidateAndCancel()
        _ = try await server.stop()
    }

    @Test func `an upload is cancelled with the task that waits, by its progress, and before it begins`() async throws {
        let folder = try TestFolder()
        let file = try folder.write(Self.text)
        let server = try await ScriptedServer.start { $0.route("PUT", "/file", reply: .stall(at: .request)) }
        let session = URLSession(configuration: .ephemeral)
        let url = try #require(URL(string: server.url + "/file"))
        let asked = AsyncStream<Void>.makeStream()
        let make: @Sendable (SlicedUpload.Slice) throws -> URLRequest = { _ in
            asked.continuation.yield()
            var request = URLRequest(url: url)
            request.httpMethod = "PUT"
            return request
        }
        let byTask = try SlicedUpload(session: session, fileURL: file, makeRequest: make)
        let task = Task { try await byTask.run() }
        var events = asked.stream.makeAsyncIterator()
        _ = await events.next()
        task.cancel()
        #expect((await task.result).code == .cancelled)
        let byProgress = try SlicedUpload(session: session, fileURL: file, makeRequest: make)
        let second = Task { try await byProgress.run() }
        _ = await events.next()
        byProgress.progress.cancel()
        #expect((await second.result).code == .cancelled)
        let early = try SlicedUpload(session: session, fileURL: file, makeRequest: make)
        early.cancel()
        let third = await #expect(throws: URLError.self) { try await early.run() }
        #expect(third?.code == .cancelled)
        session.invalidateAndCancel()
        _ = try await server.stop()
    }

    // BEHAVIOUR 3.B1-parallel
    @Test func `the session's host limit is a bound`() {
        var options = SlicedUpload.Options()
        options.maximumConcurrentSlices = 9
        #expect(options.settings(hostLimit: 3).parallel == 3)
        #expect(options.settings(hostLimit: 30).parallel == 9)
        #expect(options.settings(hostLimit: 0).parallel == 1)
    }
}

extension Result where Failure == any Error {
    fileprivate var code: URLError.Code? {
        if case .failure(let error as URLError) = self { return error.code }
        return nil
    }
}
