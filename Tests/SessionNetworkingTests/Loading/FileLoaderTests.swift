import Foundation
import HTTPBasics
import TestSupport
import Testing

@testable import SessionNetworking

/// `file:` URLs through the public API, from real files.
@Suite(.endsInTime) final class FileLoaderTests {
    private let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
        "understudy-file-\(UUID().uuidString)", isDirectory: true)
    private let session = URLSession(configuration: .ephemeral)

    init() throws { try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true) }

    deinit {
        session.invalidateAndCancel()
        try? FileManager.default.removeItem(at: directory)
    }

    private func file(_ name: String, _ content: Data) throws -> URL {
        let url = directory.appendingPathComponent(name)
        try content.write(to: url)
        return url
    }

    // BEHAVIOUR 2.H3-file
    @Test(arguments: [
        ("plain.txt", "text/plain"), ("IMAGE.JPG", "image/jpeg"), ("with a blank & ümlaut.json", "application/json"),
        ("nothing-known.xyz", "application/octet-stream"), ("nothing", "application/octet-stream"),
    ]) func `a file's response tells its type by the name, and its length`(name: String, type: String) async throws {
        let url = try file(name, Data("hello".utf8))
        let (data, response) = try await session.data(from: url)
        #expect(data == Data("hello".utf8))
        #expect(response.mimeType == type && response.expectedContentLength == 5 && response.url == url)
        #expect(response.textEncodingName == nil && !(response is HTTPURLResponse))
        #expect(response.suggestedFilename?.hasPrefix(name) == true)
    }

    // BEHAVIOUR 2.H3-file
    @Test func `a large file comes whole, in every style, and stays where it is`() async throws {
        let content = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let url = try file("large", content)
        #expect(try await session.data(from: url).0 == content)
        let (copy, _) = try await session.download(from: url)
        #expect(try Data(contentsOf: copy) == content && copy != url)
        try FileManager.default.removeItem(at: copy)
        var sum = 0
        for try await byte in try await session.bytes(from: url).0 { sum += Int(byte) }
        #expect(sum == content.reduce(0) { $0 + Int($1) })
        #expect(try Data(contentsOf: url) == content)
    }

    // BEHAVIOUR 2.H3-file
    @Test func `no more is read than was asked for`() throws {
        let url = try file("large", Data(count: 3_000_000))
        let queue = FakeQueue(), journal = Journal()
        let inlet = EventInlet(
            enqueue: { event in
                if case .data = event { journal.note("data") } else { journal.note("other") }
                return false
            }, wake: {})
        let reference = URLReference(scheme: "file", host: "", path: url.path)
        let loader = FileLoader(reference, for: session.dataTask(with: url), executor: queue, inlet: inlet)
        loader.begin()
        queue.runAll()
        #expect(journal.take() == ["other"], "the response")
        for _ in 0..<3 {
            loader.goOn()
            queue.runAll()
            #expect(journal.take() == ["data"])
        }
        loader.end()
        queue.runAll()
    }

    // BEHAVIOUR 2.H3-file
    @Test func `an empty file is an empty body`() async throws {
        let (data, response) = try await session.data(from: try file("empty", Data()))
        #expect(data.isEmpty && response.expectedContentLength == 0)
    }

    private func failure(of url: URL) async -> URLError? {
        do {
            _ = try await session.data(from: url)
            return nil
        } catch {
            return error as? URLError
        }
    }

    // BEHAVIOUR 2.H3-file-errors
    @Test func `what cannot be read fails with the error that says why`() async throws {
        let fifo = directory.appendingPathComponent("fifo")
        #expect(mkfifo(fifo.path, 0o600) == 0)
        let refused = try file("refused", Data("x".utf8))
        #expect(chmod(refused.path, 0) == 0)
        let failures: [(URL?, URLError.Code)] = [
            (directory.appendingPathComponent("missing"), .fileDoesNotExist),
            (directory.appendingPathComponent("missing/below"), .fileDoesNotExist),
            (try file("plain", Data()).appendingPathComponent("below"), .fileDoesNotExist),
            (directory, .fileIsDirectory), (fifo, .cannotOpenFile),
            (URL(string: "file://elsewhere.test/etc/hosts"), .unsupportedURL),
            (URL(string: "file:///a%00b"), .fileDoesNotExist),
            // The superuser may read everything.
            (geteuid() == 0 ? nil : refused, .noPermissionsToReadFile),
        ]
        for case (let url?, let code) in failures {
            let error = await failure(of: url)
            #expect(error?.code == code, "\(url)")
            #expect(error?.failingURL == url)
        }
    }
}
