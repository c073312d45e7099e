import BodyFiles
import ClientMachines
import Foundation
import NIOCore
import Testing

@testable import Simulator

@Suite final class SimulatedUploadsTests {
    private let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    private let task = TaskID(1)

    private static let shortened = "The file became shorter while it was sent."

    deinit { try? FileManager.default.removeItem(at: url) }

    private func trouble(_ uploads: SimulatedUploads, count: Int) -> SourceFile.Trouble? {
        do throws(SourceFile.Trouble) {
            _ = try uploads.read(task, offset: 0, count: count)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a task reads the file that it opened last, until it ends`() throws {
        try Data("abcdef".utf8).write(to: url)
        let uploads = SimulatedUploads()
        let file = BodyFile(path: url.path), version = try SourceFile(path: url.path).version()
        #expect(try uploads.read(task, offset: 0, count: 1) == nil)
        #expect(uploads.open(file, for: task) == .bodyFileOpened(task, version))
        #expect(try uploads.read(task, offset: 2, count: 3) == ByteBuffer(string: "cde"))
        let missing = uploads.open(BodyFile(path: url.path + "-not"), for: TaskID(2))
        #expect(missing == .bodyFileFailed(TaskID(2), .fileDoesNotExist, detail: "There is no file \(url.path)-not."))
        uploads.forget(task)
        #expect(try uploads.read(task, offset: 0, count: 1) == nil)
    }

    // BEHAVIOUR 1.I5-same
    @Test func `a file that is open is looked at once more, whatever its name stands for by then`() throws {
        try Data("abcdef".utf8).write(to: url)
        let uploads = SimulatedUploads(), file = BodyFile(path: url.path)
        let opened = uploads.open(file, for: task)
        try FileManager.default.removeItem(at: url)
        #expect(uploads.open(file, for: task) == opened)
    }

    // BEHAVIOUR 1.I5-shorter, 3.A1-changed
    @Test func `a file that is not what it was is trouble, as over sockets`() throws {
        try Data("abcdef".utf8).write(to: url)
        let uploads = SimulatedUploads()
        _ = uploads.open(BodyFile(path: url.path), for: task)
        #expect(truncate(url.path, 3) == 0)
        #expect(trouble(uploads, count: 3) == nil)
        #expect(trouble(uploads, count: 4)?.kind == .requestBodyStreamExhausted)
        let shorter = uploads.open(BodyFile(path: url.path), for: task)
        #expect(shorter == .bodyFileFailed(task, .requestBodyStreamExhausted, detail: Self.shortened))
        let version = try SourceFile(path: url.path).version()
        _ = uploads.open(BodyFile(path: url.path, version: version), for: task)
        #expect(trouble(uploads, count: 3) == nil)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: url.path)
        #expect(trouble(uploads, count: 1)?.kind == .requestBodyStreamExhausted)
    }
}
