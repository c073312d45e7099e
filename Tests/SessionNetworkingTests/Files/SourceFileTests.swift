import Foundation
import Testing

@testable import SessionNetworking

@Suite struct SourceFileTests {
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

    @Test func `bytes are read at any offset, and not beyond the end`() throws {
        let folder = try TestFolder()
        let file = try SourceFile(folder.write("0123456789"))
        #expect(try file.bytes(at: 3, count: 4) == Data("3456".utf8))
        #expect(try file.bytes(at: 10, count: 0).isEmpty)
        #expect(throws: URLError.self) { try file.bytes(at: 8, count: 3) }
        #expect(try file.version().size == 10)
    }

    // BEHAVIOUR 3.A1-changed
    @Test func `a file that was written to is another version, even of the same size`() throws {
        let folder = try TestFolder()
        let url = try folder.write("one")
        let file = try SourceFile(url)
        let version = try file.version()
        try file.check(is: version)
        try folder.overwrite(url, with: "two")
        let same = #expect(throws: URLError.self) { try file.check(is: version) }
        #expect(same?.localizedDescription.contains("was written to") == true)
        try folder.overwrite(url, with: "three")
        let longer = #expect(throws: URLError.self) { try file.check(is: version) }
        #expect(longer?.localizedDescription.contains("it had 3 bytes, and has 5 now") == true)
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
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: file.path)
    }
}
