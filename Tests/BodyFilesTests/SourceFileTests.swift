import ClientMachines
import Glibc
import Testing

@testable import BodyFiles

@Suite struct SourceFileTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func trouble(_ path: String) -> Failure.Kind? {
        do throws(SourceFile.Trouble) {
            _ = try SourceFile(path: path)
            return nil
        } catch {
            #expect(error.detail.hasSuffix("."))
            return error.kind
        }
    }

    // BEHAVIOUR 1.I5
    @Test func `what is no regular file is refused`() throws {
        let file = try folder.write("x")
        #expect(mkfifo(folder.path("fifo"), 0o600) == 0)
        #expect(symlink("loop", folder.path("loop")) == 0)
        #expect(trouble(file) == nil)
        #expect(trouble(folder.path("nothing")) == .fileDoesNotExist)
        #expect(trouble(folder.path(String(repeating: "x", count: 300))) == .fileDoesNotExist)
        #expect(trouble("\(file)/below") == .fileDoesNotExist)
        #expect(trouble("\(file)\0") == .fileDoesNotExist)
        #expect(trouble(folder.path("")) == .fileIsDirectory)
        #expect(trouble(folder.path("fifo")) == .cannotOpenFile)
        #expect(trouble("/dev/null") == .cannotOpenFile)
        #expect(trouble(folder.path("loop")) == .cannotOpenFile)
    }

    /// Root may read everything, so that this one cannot be tried with a real file.
    @Test(arguments: [EACCES, EPERM]) func `a file that may not be read has a code of its own`(code: Int32) {
        let trouble = SourceFile.Trouble("/f", cannotBe: "opened", code)
        #expect(trouble.kind == .noPermissionsToReadFile)
        #expect(trouble.detail == "/f may not be read.")
    }

    @Test func `bytes are read at any offset, and none beyond the end`() throws {
        let file = try SourceFile(path: folder.write("0123456789"))
        for (offset, text) in [(0, "0123"), (3, "3456"), (8, "89"), (10, ""), (99, "")] as [(Int64, String)] {
            var space = [UInt8](repeating: 0, count: 4)
            let count = try space.withUnsafeMutableBytes { try file.read(into: $0, at: offset) }
            #expect(Array(space.prefix(count)) == Array(text.utf8))
        }
    }

    // BEHAVIOUR 3.A1-changed
    @Test func `a file that was written to is another version, even of the same size`() throws {
        let file = try SourceFile(path: folder.write("one"))
        let version = try file.version()
        #expect(version.size == 3)
        try file.check(is: version)
        try folder.overwrite("two")
        let same = #expect(throws: SourceFile.Trouble.self) { try file.check(is: version) }
        #expect(same?.detail.contains("was written to") == true)
        try folder.overwrite("three")
        let longer = #expect(throws: SourceFile.Trouble.self) { try file.check(is: version) }
        #expect(longer?.detail.contains("it had 3 bytes, and has 5 now") == true)
    }
}

/// A folder with one file, which goes with its owner.
final class ScratchFolder {
    private let root: String

    init() throws {
        var template = Array("/tmp/body-files-tests-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in ["file", "fifo", "loop"] { _ = unlink(path(name)) }
        _ = rmdir(root)
    }

    func path(_ name: String) -> String { "\(root)/\(name)" }

    func write(_ text: String) throws -> String {
        let file = try #require(fopen(path("file"), "w"))
        fputs(text, file)
        fclose(file)
        return path("file")
    }

    /// In place, with a time of writing that no clock is too coarse to tell apart.
    func overwrite(_ text: String) throws {
        let file = try write(text)
        let times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, file, times, 0) == 0)
    }
}
