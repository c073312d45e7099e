import ClientMachines
import Glibc
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import ClientEngine

@Suite(.endsInTime) struct FileActionsTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let recorder = InputRecorder()
    private let files: FileActions

    init() { files = FileActions(eventLoop: loop) }

    private func path() throws -> String {
        var template = Array("/tmp/file-actions-tests-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        #expect(descriptor >= 0)
        _ = close(descriptor)
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        #expect(unlink(path) == 0)
        return path
    }

    private func perform(_ actions: [FileAction], of task: TaskID) async throws {
        try await loop.run { [files, recorder] in
            for action in actions { files.perform(action, of: task, for: recorder) }
        }
    }

    private func count() async throws -> Int { try await loop.run { [files] in files.count } }

    @Test func `actions of one task are done and answered in order`() async throws {
        let (task, path) = (TaskID(1), try path())
        defer { _ = unlink(path) }
        let pieces = (0..<200).map { ByteBuffer(string: "piece \($0)\n") }
        try await perform(
            [.open(path: path, offset: 0)] + pieces.map { .write($0) } + [.close(renamedTo: nil)], of: task)
        #expect(await recorder.next() == .fileOpened(task))
        for piece in pieces { #expect(await recorder.next() == .fileWrote(task, bytes: piece.readableBytes)) }
        #expect(await recorder.next() == .fileClosed(task))
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(Int(status.st_size) == pieces.reduce(0) { $0 + $1.readableBytes })
        try await loop.run { [files] in files.finish(task) }
        #expect(try await count() == 0)
    }

    @Test func `tasks have files of their own, and discarded ones are gone`() async throws {
        let paths = [try path(), try path()]
        for (index, path) in paths.enumerated() {
            try await perform([.open(path: path, offset: 0), .write(ByteBuffer(string: "x"))], of: TaskID(index))
        }
        var seen: [TaskID: [ClientInput]] = [:]
        for _ in 0..<4 {
            let input = await recorder.next()
            switch input {
            case .fileOpened(let task)?, .fileWrote(let task, _)?: seen[task, default: []].append(input ?? .timePassed)
            default: Issue.record("unexpected: \(String(describing: input))")
            }
        }
        for index in 0..<2 {
            #expect(seen[TaskID(index)] == [.fileOpened(TaskID(index)), .fileWrote(TaskID(index), bytes: 1)])
        }
        try await perform([.discard], of: TaskID(0))
        try await perform([.discard, .close(renamedTo: nil)], of: TaskID(1))
        guard case .fileFailed(TaskID(1), .cannotCloseFile, _)? = await recorder.next() else {
            Issue.record("a discarded file was closed")
            return
        }
        // The first discard was queued before, and one more round over the same threads and loop is behind it.
        try await perform([.close(renamedTo: nil)], of: TaskID(0))
        _ = await recorder.next()
        #expect(paths.allSatisfy { access($0, F_OK) != 0 })
        try await loop.run { [files] in (0..<2).forEach { files.finish(TaskID($0)) } }
        #expect(try await count() == 0)
    }
}
