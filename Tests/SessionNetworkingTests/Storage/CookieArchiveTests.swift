import ClientMachines
import Foundation
import Locks
import TestSupport
import Testing

@testable import SessionNetworking

/// BEHAVIOUR 2.C27-merge, 2.C27-behind
@Suite(.endsInTime) struct CookieArchiveTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cookies-\(UUID())").path

    private var file: CookieFile { CookieFile(path: folder + "/cookies") }

    private func cookie(_ name: String, _ value: String = "1", lives: TimeInterval? = 1000) throws -> HTTPCookie {
        var properties: [HTTPCookiePropertyKey: Any] = [.name: name, .value: value, .domain: "a.test"]
        properties[.expires] = lives.map { Date(timeIntervalSinceNow: $0) }
        return try #require(HTTPCookie(properties: properties))
    }

    private func values(_ storage: HTTPCookieStorage) -> [String] {
        (storage.cookies ?? []).map { "\($0.name)=\($0.value)" }.sorted()
    }

    @Test func `another storage of the file finds what lasts`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let storage = HTTPCookieStorage(file: file)
        storage.setCookie(try cookie("a"))
        storage.setCookie(try cookie("b", lives: nil))
        // Behind the caller's back.
        #expect(!FileManager.default.fileExists(atPath: file.path))
        storage.saveNow()
        let other = HTTPCookieStorage(file: file)
        #expect(values(other) == ["a=1"])
        #expect(other.cookies?.first == storage.cookies?.first)
        storage.deleteCookie(try cookie("a"))
        storage.saveNow()
        #expect(values(HTTPCookieStorage(file: file)) == [])
    }

    @Test func `two storages lose nothing of each other`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let one = HTTPCookieStorage(file: file), other = HTTPCookieStorage(file: file)
        one.setCookie(try cookie("a"))
        other.setCookie(try cookie("b"))
        one.saveNow()
        other.saveNow()
        #expect(values(other) == ["a=1", "b=1"])
        one.setCookie(try cookie("c"))
        one.saveNow()
        #expect(values(one) == ["a=1", "b=1", "c=1"])
        // The newest of each counts, wherever it comes from.
        one.setCookie(try cookie("a", "old"))
        other.setCookie(try cookie("a", "new"))
        other.saveNow()
        one.saveNow()
        #expect(values(one) == ["a=new", "b=1", "c=1"])
        // What one has removed goes in the other as well.
        one.deleteCookie(try cookie("b"))
        one.saveNow()
        other.setCookie(try cookie("d"))
        other.saveNow()
        #expect(values(other) == ["a=new", "c=1", "d=1"])
    }

    @Test func `flush writes at once, and calls its handler behind that`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let storage = HTTPCookieStorage(file: file)
        storage.setCookie(try cookie("a"))
        await withCheckedContinuation { done in storage.flush { done.resume() } }
        #expect(values(HTTPCookieStorage(file: file)) == ["a=1"])
        await withCheckedContinuation { done in HTTPCookieStorage().flush { done.resume() } }
    }

    /// It has taken the changes already: they are not on disk before it is over.
    @Test func `flush waits for what is just being written`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let storage = HTTPCookieStorage(file: file), isDone = Lock(false)
        let holder = open(file.path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #expect(flock(holder, LOCK_EX) == 0)
        storage.setCookie(try cookie("a"))
        storage.flush {}
        while storage.hasUnsaved { await Task.yield() }
        storage.flush { isDone.withLock { $0 = true } }
        #expect(!isDone.withLock { $0 })
        _ = close(holder)
        await withCheckedContinuation { done in storage.flush { done.resume() } }
        #expect(isDone.withLock { $0 })
        #expect(values(HTTPCookieStorage(file: file)) == ["a=1"])
    }

    @Test func `a file that is damaged or gone gets what memory has`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let storage = HTTPCookieStorage(file: file)
        storage.setCookie(try cookie("a"))
        storage.saveNow()
        try Data("no cookies\n".utf8).write(to: URL(fileURLWithPath: file.path))
        storage.setCookie(try cookie("b"))
        storage.saveNow()
        #expect(values(storage) == ["a=1", "b=1"])
        #expect(values(HTTPCookieStorage(file: file)) == ["a=1", "b=1"])
        try FileManager.default.removeItem(atPath: file.path)
        storage.deleteCookie(try cookie("a"))
        storage.saveNow()
        #expect(values(HTTPCookieStorage(file: file)) == ["b=1"])
    }

    /// The file is of a time when the clock was ahead.
    @Test func `a clock that was set back decides nothing`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let later = CookieTime(Date(timeIntervalSinceNow: 3600)), ends = later.advanced(by: 10_000)
        let entries = ["a", "b", "c"].map { name in
            let cookie = Cookie(name: name, value: "old", domain: "a.test", expires: ends)
            return CookieJar.Entry(cookie, created: later, modified: later)
        }
        try file.update(within: .seconds(1)) { _ in entries }
        let storage = HTTPCookieStorage(file: file), other = HTTPCookieStorage(file: file)
        storage.setCookie(try cookie("a", "new"))
        storage.deleteCookie(try cookie("b"))
        storage.saveNow()
        #expect(values(storage) == ["a=new", "c=old"])
        other.setCookie(try cookie("d"))
        other.saveNow()
        #expect(values(other) == ["a=new", "c=old", "d=1"])
        #expect(values(HTTPCookieStorage(file: file)) == ["a=new", "c=old", "d=1"])
    }

    @Test func `what another has changed is posted elsewhere`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let one = HTTPCookieStorage(file: file), other = HTTPCookieStorage(file: file)
        one.setCookie(try cookie("a"))
        one.saveNow()
        other.setCookie(try cookie("b"))
        let name = NSNotification.Name.NSHTTPCookieManagerCookiesChanged
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let rest = Lock<CheckedContinuation<Void, Never>?>(done)
            _ = NotificationCenter.default.addObserver(forName: name, object: other, queue: nil) { note in
                // As `exit` would call it.
                (note.object as? HTTPCookieStorage)?.saveNow()
                rest.withLock { rest in
                    rest?.resume()
                    rest = nil
                }
            }
            other.saveNow()
        }
        #expect(values(other) == ["a=1", "b=1"])
    }

    @Test func `what cannot be written stays in memory, and is written later`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/cookies.new", withIntermediateDirectories: true)
        let storage = HTTPCookieStorage(file: file)
        storage.setCookie(try cookie("a"))
        storage.saveNow()
        #expect(values(storage) == ["a=1"])
        #expect(values(HTTPCookieStorage(file: file)) == [])
        try FileManager.default.removeItem(atPath: folder + "/cookies.new")
        storage.saveNow()
        #expect(values(HTTPCookieStorage(file: file)) == ["a=1"])
    }
}

/// Processes of their own: this one is started once more, with a test that writes until it is killed.
@Suite(.endsInTime) struct CookieProcessTests {
    private static let variable = "UNDERSTUDY_TEST_COOKIE_FILE"
    private static let environment = ProcessInfo.processInfo.environment
    private static let isWriter = environment[variable] != nil

    private func start(_ path: String, _ name: String, _ count: Int) throws -> (Process, FileHandle) {
        let process = Process(), output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["--testing-library", "swift-testing", "--filter", "CookieProcessTests"]
        var environment = Self.environment
        environment[Self.variable] = path
        environment["UNDERSTUDY_TEST_COOKIE_NAME"] = name
        environment["UNDERSTUDY_TEST_COOKIE_COUNT"] = String(count)
        process.environment = environment
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        return (process, output.fileHandleForReading)
    }

    /// The other process.
    @Test(.enabled(if: isWriter)) func `a writer`() throws {
        let environment = Self.environment
        let storage = HTTPCookieStorage(file: CookieFile(path: try #require(environment[Self.variable])))
        let name = environment["UNDERSTUDY_TEST_COOKIE_NAME"] ?? ""
        let count = environment["UNDERSTUDY_TEST_COOKIE_COUNT"].flatMap { Int($0) } ?? 0
        for number in 0..<count {
            let cookie = HTTPCookie(properties: [
                .name: "\(name)\(number)", .value: String(repeating: "x", count: 1000), .domain: "d\(number % 40).test",
                .expires: Date(timeIntervalSinceNow: 100_000),
            ])
            storage.setCookie(try #require(cookie))
            storage.saveNow()
            FileHandle.standardOutput.write(Data("saved \(number)\n".utf8))
        }
    }

    // BEHAVIOUR 2.C27-file
    @Test(.enabled(if: !isWriter), arguments: 1...4)
    func `whoever is killed leaves what was saved`(round: Int) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cookies-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (process, output) = try start(folder + "/cookies", "k", 1000)
        var text = ""
        while text.components(separatedBy: "saved ").count <= 20 * round {
            let data = output.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
        }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        text += String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
        let saved = text.split(separator: "\n").filter { $0.hasPrefix("saved ") }.count
        let names = Set((HTTPCookieStorage(file: CookieFile(path: folder + "/cookies")).cookies ?? []).map(\.name))
        #expect(saved >= 20 * round)
        #expect(names.isSuperset(of: (0..<saved).map { "k\($0)" }))
        #expect(names.count <= saved + 1)
        #expect(!FileManager.default.fileExists(atPath: folder + "/cookies.damaged"))
    }

    // BEHAVIOUR 2.C27-merge
    @Test(.enabled(if: !isWriter)) func `two processes lose nothing of each other`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cookies-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let processes = try ["a", "b"].map { try start(folder + "/cookies", $0, 60) }
        for (process, output) in processes {
            _ = output.readDataToEndOfFile()
            process.waitUntilExit()
        }
        let names = Set((HTTPCookieStorage(file: CookieFile(path: folder + "/cookies")).cookies ?? []).map(\.name))
        #expect(names == Set((0..<60).flatMap { ["a\($0)", "b\($0)"] }))
    }
}
