import Foundation
import TestSupport
import Testing

@testable import SessionNetworking

@Suite(.endsInTime) struct PrivateFileTests {
    private let folder: TestFolder
    private var path: String { folder.url.path + "/deep/er/file" }

    init() throws { folder = try TestFolder() }

    private func file(
        limit: Int = 1_000, afterStep: @escaping @Sendable (String) throws(PrivateFile.Refused) -> Void = { _ in }
    ) -> PrivateFile { PrivateFile(path: path, limit: limit, afterStep: afterStep) }

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    private func text(_ file: PrivateFile) throws -> String? {
        guard case .bytes(let bytes) = try file.read().content else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `it and its folder are the user's alone`() throws {
        let file = file()
        #expect(try file.read().content == .absent && file.version == nil)
        try file.update { $0 == .absent ? .replace([1, 2]) : .nothing }
        #expect(try file.read().content == .bytes([1, 2]))
        #expect(mode(path) == 0o600 && mode(path + ".lock") == 0o600 && mode(folder.url.path + "/deep") == 0o700)
        #expect(mode(path + ".new") == nil)
        chmod(path, 0o644)
        _ = try file.read()
        #expect(mode(path) == 0o600)
    }

    @Test func `each change is another version, and nothing is none`() throws {
        let file = file()
        let first = try file.update { _ in .replace([1]) }
        #expect(first != nil && first == file.version)
        #expect(try file.update { _ in .nothing } == first)
        #expect(try file.update { _ in .replace([2]) } != first)
    }

    @Test(arguments: ["folder", "link", "pipe", "large"])
    func `something else in its place is put aside`(what: String) throws {
        let file = file()
        try file.update { _ in .replace([1]) }
        unlink(path)
        switch what {
        case "folder": mkdir(path, 0o700)
        case "link": symlink("/etc/passwd", path)
        case "pipe": mkfifo(path, 0o600)
        default: try Data(repeating: 7, count: 1_001).write(to: URL(fileURLWithPath: path))
        }
        #expect(try file.read().content == .foreign)
        try file.update { $0 == .foreign ? .replace([3]) : .nothing }
        #expect(try file.read().content == .bytes([3]))
        #expect(mode(path + ".damaged") != nil)
    }

    @Test func `what makes no sense is put aside whole`() throws {
        let file = file()
        try file.update { _ in .replace([1]) }
        try file.update { _ in .putAside(then: [2]) }
        #expect(try file.read().content == .bytes([2]))
        #expect(FileManager.default.contents(atPath: path + ".damaged") == Data([1]))
    }

    /// Neither is absent, nor damaged.
    @Test(arguments: ["another user's", "not readable"])
    func `what cannot be read is left as it is`(what: String) throws {
        let file = file()
        try file.update { _ in .replace([1]) }
        let isRoot = geteuid() == 0
        if what == "not readable" {
            if isRoot { return }
            chmod(path, 0)
        } else {
            guard isRoot else { return }
            chown(path, 12_345, 12_345)
        }
        #expect(throws: PrivateFile.Refused.self) { try file.read() }
        #expect(throws: PrivateFile.Refused.self) { try file.update { _ in .replace([2]) } }
        #expect(mode(path + ".damaged") == nil)
        if isRoot { chown(path, 0, 0) } else { chmod(path, 0o600) }
        #expect(try file.read().content == .bytes([1]))
    }

    @Test func `who waits too long for it is refused`() throws {
        let file = file()
        try file.update { _ in
            #expect(throws: PrivateFile.Refused(step: "lock", code: EWOULDBLOCK)) {
                try file.update(within: .milliseconds(20)) { _ in .replace([2]) }
            }
            return .replace([1])
        }
        #expect(try file.read().content == .bytes([1]))
    }

    @Test func `what is too large is not written`() throws {
        let file = file()
        try file.update { _ in .replace([1]) }
        #expect(throws: PrivateFile.Refused(step: "write", code: EFBIG)) {
            try file.update { _ in .replace(Array(repeating: 0, count: 1_001)) }
        }
        #expect(try file.read().content == .bytes([1]))
    }

    @Test(arguments: ["lock", "put aside", "create", "write", "sync", "rename"])
    func `wherever its writer ends it is whole, and the next one goes on`(step: String) throws {
        try file().update { _ in .replace(Array("old".utf8)) }
        let dying = file { reached throws(PrivateFile.Refused) in
            if reached == step { throw PrivateFile.Refused(step: step, code: PrivateFile.killed) }
        }
        #expect(throws: PrivateFile.Refused.self) { try dying.update { _ in .putAside(then: Array("new".utf8)) } }
        let found = try text(file())
        #expect([["rename"].contains(step) ? "new" : "old", nil].contains(found))
        if found == nil { #expect(FileManager.default.contents(atPath: path + ".damaged") == Data("old".utf8)) }
        try file().update { _ in .replace(Array("next".utf8)) }
        #expect(try text(file()) == "next" && mode(path + ".new") == nil)
    }

    @Test(
        arguments: [
            (["XDG_DATA_HOME": "/d", "HOME": "/h"], "/usr/bin/tool", "/d/understudy/tool"),
            (["XDG_DATA_HOME": "d", "HOME": "/h"], "tool", "/h/.local/share/understudy/tool"),
            (["HOME": "h"], "tool", nil), ([:], "tool", nil), (["HOME": "/h"], "..", nil), (["HOME": "/h"], "", nil),
        ] as [([String: String], String, String?)])
    func `its place is the program's`(environment: [String: String], program: String, directory: String?) {
        #expect(PrivateFile.directory(environment: environment, program: program) == directory)
    }

    // MARK: - Processes

    private struct Writer {
        let process = Process()
        let output = Pipe()

        init(_ words: [String]) throws {
            // Beside the bundle of tests, on every platform that has this test.
            let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            process.executableURL = products.appendingPathComponent("file-writer")
            process.arguments = words
            process.standardOutput = output
            try process.run()
        }

        func finish() -> [Substring] {
            let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return lines.split(separator: "\n", omittingEmptySubsequences: true)
        }
    }

    @Test func `processes that write at once lose nothing`() throws {
        let writers = try ["a", "b", "c"].map { try Writer([path, $0, "60"]) }
        let written = writers.flatMap { $0.finish() }
        #expect(written.count == 180)
        let there = try text(file(limit: 1 << 20))?.split(separator: "\n") ?? []
        #expect(there.count == 180 && Set(there) == Set(written))
    }

    @Test func `a writer that is killed at any moment loses nothing that it has said to be there`() throws {
        for round in 0..<12 {
            let writer = try Writer([path, "r\(round)", "100000"])
            // Wherever it is by then.
            _ = writer.output.fileHandleForReading.readData(ofLength: 20 + round * 37)
            kill(writer.process.processIdentifier, SIGKILL)
            let said = writer.finish().filter { $0.hasPrefix("r\(round)-") }
            let there = Set(try text(file(limit: 1 << 20))?.split(separator: "\n") ?? [])
            // The last line may be cut off.
            for line in said.dropLast() { #expect(there.contains(line)) }
        }
    }

    // BEHAVIOUR 2.A11-file
    @Test func `processes that keep credentials at once lose none, though two are killed`() throws {
        let file = folder.url.path + "/credentials.json"
        let killed = try ["x", "y"].map { try Writer([file, $0, "100000", "credentials"]) }
        let writers = try ["a", "b"].map { try Writer([file, $0, "40", "credentials"]) }
        for one in killed {
            _ = one.output.fileHandleForReading.readData(ofLength: 40)
            kill(one.process.processIdentifier, SIGKILL)
        }
        let written = writers.flatMap { $0.finish() }
        #expect(written.count == 80)
        let users = Set(URLCredentialStorage(file: file).allCredentials.values.flatMap(\.keys))
        #expect(Set(written.map(String.init)).isSubset(of: users))
        for one in killed { _ = one.finish() }
    }
}
