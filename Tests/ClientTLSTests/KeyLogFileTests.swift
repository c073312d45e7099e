import Foundation
import TestSupport
import Testing

@testable import ClientTLS

@Suite(.endsInTime) final class KeyLogFileTests {
    private let path = FileManager.default.temporaryDirectory.appendingPathComponent("keys-\(UUID())").path

    deinit { unlink(path) }

    @Test func `lines are added and the file is the user's alone`() throws {
        try #require(KeyLogFile(path: path)).write("CLIENT_RANDOM 1 2")
        try #require(KeyLogFile(path: path)).write("CLIENT_RANDOM 3 4")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "CLIENT_RANDOM 1 2\nCLIENT_RANDOM 3 4\n")
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test func `a pipe that nobody reads is no file and keeps nobody waiting`() {
        #expect(mkfifo(path, 0o600) == 0)
        #expect(KeyLogFile(path: path) == nil)
    }

    @Test func `no name is no file`() {
        #expect(KeyLogFile(path: nil) == nil)
        #expect(KeyLogFile(path: "") == nil)
        #expect(KeyLogFile(path: path + "/keys") == nil)
    }
}
