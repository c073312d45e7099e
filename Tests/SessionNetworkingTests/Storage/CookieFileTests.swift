import ClientMachines
import Foundation
import Testing

@testable import SessionNetworking

/// BEHAVIOUR 2.C27-file
@Suite struct CookieFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cookies-\(UUID())").path

    private var file: CookieFile { CookieFile(path: folder + "/x/cookies") }

    private func entries(_ names: String...) -> [CookieJar.Entry] {
        let now = CookieTime(seconds: 5)
        return names.map { name in
            let cookie = Cookie(name: name, value: "1", domain: "a.test", expires: CookieTime(seconds: 1e9))
            return CookieJar.Entry(cookie, created: now, modified: now)
        }
    }

    private func names(_ content: CookieFile.FoundCookies) -> [String]? {
        if case .entries(let entries) = content { entries.map(\.cookie.name) } else { nil }
    }

    private func mode(_ path: String) -> UInt32 {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test func `it is the user's alone, and replaced as a whole`() {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        if case .absent = file.read() {} else { Issue.record("there is a file") }
        #expect(file.exclusively(within: .seconds(1)) { file.replace(with: entries("a", "b")) } == true)
        #expect(names(file.read()) == ["a", "b"])
        #expect(mode(file.path) == 0o600 && mode(file.path + ".lock") == 0o600 && mode(folder + "/x") == 0o700)
        #expect(file.exclusively(within: .seconds(1)) { file.replace(with: entries("c")) } == true)
        #expect(names(file.read()) == ["c"])
        #expect(!FileManager.default.fileExists(atPath: file.path + ".new"))
    }

    @Test func `one at a time has it`() {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let inner = file.exclusively(within: .seconds(1)) { file.exclusively(within: .milliseconds(20)) { true } }
        #expect(inner == .some(.none))
    }

    @Test(arguments: ["text", "directory", "link", "pipe", "of zeros"])
    func `what is not ours is put aside`(kind: String) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/x", withIntermediateDirectories: true)
        switch kind {
        case "text": try Data("hello\n".utf8).write(to: URL(fileURLWithPath: file.path))
        case "of zeros": try Data(count: 100_000).write(to: URL(fileURLWithPath: file.path))
        case "directory": try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: true)
        case "link": symlink("/etc/passwd", file.path)
        default: mkfifo(file.path, 0o600)
        }
        let storage = HTTPCookieStorage(file: file)
        #expect(storage.cookies == [])
        var status = stat()
        #expect(lstat(file.path + ".damaged", &status) == 0)
        #expect(lstat(file.path, &status) != 0)
    }

    /// Another user's, and what the system refuses for now, are neither absent nor damaged.
    @Test func `what cannot be read is left as it is`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(file.exclusively(within: .seconds(1)) { file.replace(with: entries("a")) } == true)
        let isRoot = geteuid() == 0
        #expect((isRoot ? chown(file.path, 12345, 12345) : chmod(file.path, 0)) == 0)
        let storage = HTTPCookieStorage(file: file)
        let cookie = HTTPCookie(properties: [
            .name: "b", .value: "2", .domain: "a.test", .expires: Date(timeIntervalSinceNow: 1000),
        ])
        storage.setCookie(try #require(cookie))
        storage.saveNow()
        #expect(storage.cookies?.map(\.name) == ["b"])
        if case .unreadable = file.read() {} else { Issue.record("it was replaced") }
        #expect(!FileManager.default.fileExists(atPath: file.path + ".damaged"))
        #expect((isRoot ? chown(file.path, 0, 0) : chmod(file.path, 0o600)) == 0)
        #expect(names(file.read()) == ["a"])
        storage.saveNow()
        #expect(names(file.read()) == ["a", "b"])
        #expect(storage.cookies?.map(\.name) == ["a", "b"])
    }

    @Test func `what fits into no file stays in memory`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let storage = HTTPCookieStorage(file: file)
        for (name, length) in [("a", 7000), ("b", 4095)] {
            let cookie = HTTPCookie(properties: [
                .name: name, .value: String(repeating: "%", count: length), .domain: "a.test",
                .expires: Date(timeIntervalSinceNow: 1000),
            ])
            storage.setCookie(try #require(cookie))
        }
        storage.saveNow()
        #expect(names(file.read()) == ["b"])
        #expect(storage.cookies?.map(\.name) == ["a", "b"])
    }

    @Test func `where it is`() {
        func path(_ environment: [String: String], group: String? = nil) -> String? {
            CookieFile.standard(group: group, program: "my/app", environment: environment)?.path
        }
        #expect(path(["HOME": "/h/ann"]) == "/h/ann/.local/share/understudy/my%2Fapp.cookies")
        #expect(path(["HOME": "/h/ann", "XDG_DATA_HOME": "/data"]) == "/data/understudy/my%2Fapp.cookies")
        #expect(
            path(["XDG_DATA_HOME": "relative", "HOME": "/h"], group: "../x")
                == "/h/.local/share/understudy/%2E%2E%2Fx.group.cookies")
        #expect(path(["UNDERSTUDY_COOKIE_DIRECTORY": "/c", "HOME": "/h"]) == "/c/my%2Fapp.cookies")
        #expect(path(["UNDERSTUDY_COOKIE_DIRECTORY": "", "HOME": "/h"]) == nil)
        #expect(path([:]) == nil)
    }
}
