import ClientMachines
import Glibc
import NIOCore
import Testing

@testable import BodyFiles

/// BEHAVIOUR 1.I5, 1.I5-same, 1.I5-shorter
@Suite struct UploadFileTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func trouble(_ work: () throws(SourceFile.Trouble) -> ByteBuffer?) -> SourceFile.Trouble? {
        do throws(SourceFile.Trouble) {
            _ = try work()
            return nil
        } catch {
            return error
        }
    }

    @Test func `a file is read where it is asked for`() throws {
        let file = try UploadFile(BodyFile(path: folder.write("0123456789")))
        #expect(file.version.size == 10)
        #expect(try file.read(offset: 3, count: 4) == ByteBuffer(string: "3456"))
        #expect(try file.read(offset: 0, count: 10) == ByteBuffer(string: "0123456789"))
        #expect(file.trouble(upTo: 10) == nil)
    }

    @Test func `what was opened is read, whatever its name stands for`() throws {
        let path = try folder.write("old")
        let file = try UploadFile(BodyFile(path: path))
        #expect(unlink(path) == 0)
        _ = try folder.write("newer")
        #expect(try file.read(offset: 0, count: 3) == ByteBuffer(string: "old"))
    }

    @Test func `bytes that are gone are missed`() throws {
        let path = try folder.write("0123456789")
        let file = try UploadFile(BodyFile(path: path))
        #expect(truncate(path, 4) == 0)
        #expect(file.trouble(upTo: 10)?.kind == .requestBodyStreamExhausted)
        #expect(file.trouble(upTo: 4) == nil)
        let missed = trouble { () throws(SourceFile.Trouble) in try file.read(offset: 0, count: 10) }
        #expect(missed?.kind == .requestBodyStreamExhausted)
        #expect(try file.read(offset: 0, count: 4) == ByteBuffer(string: "0123"))
    }

    @Test func `a file without a version may be written to and may grow`() throws {
        let file = try UploadFile(BodyFile(path: folder.write("abc")))
        try folder.overwrite("xyz and more")
        #expect(file.trouble(upTo: 3) == nil)
        #expect(try file.read(offset: 0, count: 3) == ByteBuffer(string: "xyz"))
    }

    // BEHAVIOUR 3.A1-changed
    @Test(arguments: ["", "ab", "xyz", "abcd"]) func `a file of a version is sent in that version only`(
        content: String
    ) throws {
        let path = try folder.write("abc")
        let identity = BodyFile(path: path, version: try SourceFile(path: path).version())
        let file = try UploadFile(identity)
        #expect(try file.read(offset: 1, count: 2) == ByteBuffer(string: "bc"))
        try folder.overwrite(content)
        let troubles = [
            file.trouble(upTo: 0), trouble { () throws(SourceFile.Trouble) in try file.read(offset: 0, count: 1) },
            trouble { () throws(SourceFile.Trouble) in
                _ = try UploadFile(identity)
                return nil
            },
        ]
        for trouble in troubles {
            #expect(trouble?.kind == .requestBodyStreamExhausted)
            #expect(trouble?.detail.contains("has changed since its transfer was prepared") == true)
        }
    }

    // BEHAVIOUR 3.A1-missing
    @Test func `a file of a version that is gone is a body that cannot be sent`() {
        let version = FileVersion(size: 1, modified: 1)
        let missing = folder.path("nothing")
        for (identity, kind) in [
            (BodyFile(path: missing), Failure.Kind.fileDoesNotExist),
            (BodyFile(path: missing, version: version), .requestBodyStreamExhausted),
        ] {
            let trouble = trouble { () throws(SourceFile.Trouble) in
                _ = try UploadFile(identity)
                return nil
            }
            #expect(trouble == SourceFile.Trouble(kind, "There is no file \(missing)."))
        }
    }
}
