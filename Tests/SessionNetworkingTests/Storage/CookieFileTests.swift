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

    private func names() throws -> [String]? { try file.entries()?.map(\.cookie.name) }

    @Test func `it has what it was given last`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try names() == nil)
        try file.update(within: .seconds(1)) { known in
            #expect(known == nil)
            return entries("a", "b")
        }
        #expect(try names() == ["a", "b"])
        try file.update(within: .seconds(1)) { known in (known ?? []).suffix(1) + entries("c") }
        #expect(try names() == ["b", "c"])
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
        storage.setCookie(try cookie("b", "2"))
        storage.saveNow()
        var status = stat()
        #expect(lstat(file.path + ".damaged", &status) == 0)
        #expect(try names() == ["b"])
    }

    private func cookie(_ name: String, _ value: String) throws -> HTTPCookie {
        let cookie = HTTPCookie(properties: [
            .name: name, .value: value, .domain: "a.test", .expires: Date(timeIntervalSinceNow: 1000),
        ])
        return try #require(cookie)
    }

    /// Another user's, and what the system refuses for now, are neither absent nor damaged.
    @Test func `what cannot be read is left as it is`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try file.update(within: .seconds(1)) { _ in entries("a") }
        let isRoot = geteuid() == 0
        #expect((isRoot ? chown(file.path, 12345, 12345) : chmod(file.path, 0)) == 0)
        let storage = HTTPCookieStorage(file: file)
        storage.setCookie(try cookie("b", "2"))
        storage.saveNow()
        #expect(storage.cookies?.map(\.name) == ["b"])
        #expect(throws: PrivateFile.Refused.self) { try file.entries() }
        #expect(!FileManager.default.fileExists(atPath: file.path + ".damaged"))
        #expect((isRoot ? chown(file.path, 0, 0) : chmod(file.path, 0o600)) == 0)
        #expect(try names() == ["a"])
        storage.saveNow()
        #expect(try names() == ["a", "b"])
        #expect(storage.cookies?.map(\.name) == ["a", "b"])
    }

    @Test func `what fits into no file stays in memory`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let storage = HTTPCookieStorage(file: file)
        for (name, length) in [("a", 7000), ("b", 4095)] {
            storage.setCookie(try cookie(name, String(repeating: "%", count: length)))
        }
        storage.saveNow()
        #expect(try names() == ["b"])
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
