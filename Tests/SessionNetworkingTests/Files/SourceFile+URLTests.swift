import BodyFiles
import Foundation
import Testing

@testable import SessionNetworking

@Suite struct SourceFileURLTests {
    // BEHAVIOUR 3.A1-missing
    @Test func `what is no readable file is refused by name`() throws {
        let folder = try TestFolder()
        let pipe = folder.url.appendingPathComponent("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        let web = try #require(URL(string: "http://a.test/b"))
        let cases: [(URL, URLError.Code)] = [
            (folder.url.appendingPathComponent("none"), .fileDoesNotExist), (folder.url, .fileIsDirectory),
            (pipe, .cannotOpenFile), (web, .badURL),
        ]
        for (url, code) in cases {
            let error = #expect(throws: URLError.self) { try SourceFile(url) }
            #expect(error?.code == code)
            #expect(error?.localizedDescription.contains(url.lastPathComponent) == true)
        }
    }

    @Test func `a file's version tells its size`() throws {
        let folder = try TestFolder()
        #expect(try SourceFile.version(of: folder.write("0123456789")).size == 10)
    }
}

/// A folder that goes with its owner.
final class TestFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("understudy-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ text: String, as name: String = "file.txt") throws -> URL {
        let file = url.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        return file
    }

    /// In place, with a time of writing that no clock is too coarse to tell apart.
    func overwrite(_ file: URL, with text: String) throws {
        try Data(text.utf8).write(to: file)
        try Self.age(file)
    }

    static func age(_ file: URL) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: file.path)
    }
}
