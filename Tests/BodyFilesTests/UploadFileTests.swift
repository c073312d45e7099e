import ClientMachines
import Glibc
import NIOCore
import Testing

@testable import BodyFiles

/// BEHAVIOUR 1.I5, 1.I5-same, 1.I5-shorter
@Suite final class UploadFileTests {
    private let folder: String

    init() throws {
        var template = Array("/tmp/upload-file-tests-XXXXXX".utf8CString)
        #expect(mkdtemp(&template) != nil)
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in ["file", "fifo", "loop"] { _ = unlink("\(folder)/\(name)") }
        _ = rmdir(folder)
    }

    private func write(_ text: String) throws -> String {
        let path = "\(folder)/file"
        let file = try #require(fopen(path, "w"))
        fputs(text, file)
        fclose(file)
        return path
    }

    private func trouble(_ path: String) -> Failure.Kind? {
        do throws(UploadFile.Trouble) {
            _ = try UploadFile.open(path: path)
            return nil
        } catch {
            #expect(!error.detail.isEmpty)
            return error.kind
        }
    }

    @Test func `a file is read where it is asked for`() throws {
        let file = try UploadFile.open(path: try write("0123456789"))
        #expect(file.length == 10)
        #expect(file.read(offset: 3, count: 4) == ByteBuffer(string: "3456"))
        #expect(file.read(offset: 0, count: 10) == ByteBuffer(string: "0123456789"))
        #expect(file.reaches(10))
    }

    @Test func `what was opened is read, whatever its name stands for`() throws {
        let path = try write("old")
        let file = try UploadFile.open(path: path)
        #expect(unlink(path) == 0)
        _ = try write("newer")
        #expect(file.read(offset: 0, count: 3) == ByteBuffer(string: "old"))
    }

    @Test func `bytes that are gone are missed`() throws {
        let path = try write("0123456789")
        let file = try UploadFile.open(path: path)
        #expect(truncate(path, 4) == 0)
        #expect(!file.reaches(10))
        #expect(file.reaches(4))
        #expect(file.read(offset: 0, count: 10) == nil)
        #expect(file.read(offset: 0, count: 4) == ByteBuffer(string: "0123"))
    }

    @Test func `what is no regular file is refused`() throws {
        #expect(mkfifo("\(folder)/fifo", 0o600) == 0)
        #expect(symlink("loop", "\(folder)/loop") == 0)
        #expect(trouble("\(folder)/nothing") == .fileDoesNotExist)
        #expect(trouble("\(try write("x"))/below") == .fileDoesNotExist)
        #expect(trouble("\(folder)\0/file") == .fileDoesNotExist)
        #expect(trouble(folder) == .fileIsDirectory)
        #expect(trouble("\(folder)/fifo") == .cannotOpenFile)
        #expect(trouble("/dev/null") == .cannotOpenFile)
        #expect(trouble("\(folder)/loop") == .cannotOpenFile)
    }

    /// Root may read everything, so that this one cannot be tried with a real file.
    @Test(arguments: [(EACCES, Failure.Kind.noPermissionsToReadFile), (EPERM, .noPermissionsToReadFile)])
    func `a file that may not be read has a code of its own`(code: Int32, kind: Failure.Kind) {
        #expect(UploadFile.Trouble.kind(of: code) == kind)
    }
}
