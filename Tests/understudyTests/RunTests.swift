import Foundation
import HTTPBasics
import Testing

/// `understudy run` as a process: statuses, files, and what becomes of its workers.
@Suite struct RunTests {
    private static let both = ["first/hello": Sample.hello, "first/wrong": Sample.wrong]

    @Test func `what passes and what fails is in the status, the summary and the reports`() throws {
        let folder = try Folder(Self.both)
        let good = try Command.run("run", "first/hello", "--world", "simulated", in: folder)
        #expect(good.status == 0)
        #expect(good.output.contains("3 passed"))
        let bad = try Command.run("run", "--world", "simulated", "--report", "report", in: folder)
        #expect(bad.status == 1)
        #expect(bad.output.contains("FAIL  first/wrong (simulated, delegate)"))
        #expect(bad.output.contains("understudy run first/wrong --world simulated --style delegate --seed 0"))
        #expect(try folder.text("report/results.jsonl").split(separator: "\n").count == 6)
        #expect(try folder.text("report/junit.xml").contains("<failure "))
    }

    @Test(arguments: [
        ["run", "no/such"], ["run", "first", "no/such"], ["run", ""], ["list", "no/such"],
        ["list", "--rows", "no/such"],
        ["mutate", "no/such"], ["run", "--report", "/proc/none"], ["run", "--journal", "/proc/none"],
        ["run", "--journal", "scenarios/first/hello.yaml"],
        ["run", "--jobs", "0"], ["run", "--shard", "3/2"], ["run", "--explore", "all"],
        ["run", "--scenarios", "nowhere"], ["run", "--frobnicate"], ["walk"],
        ["list", ""], ["mutate", ""], ["run", "--seed", "-1"], ["run", "--jobs", "-1"], ["serve", "x", "--port", "-1"],
        ["run", "--shard", "1/1000000000"], ["run", "--explore", "seeds=0"], ["run", "--explore", "seeds=+5"],
        ["run", "--explore", "seeds=1..18446744073709551615"], ["run", "--explore", "seeds=2", "--seed", "5"],
        ["run", "--explore", "hostile", "--seed", "5"], ["run", "--explore", "hostile=2", "--seed", "5"],
        ["run", "--explore", "bend:0:0:code=204", "--seed", "5"],
        ["run", "--journal", "j", "--world", "sockets"], ["serve", "first/hello", "--case", "x"],
        ["serve"], ["serve", "--builtin", "--case", "x"],
        ["serve", "first/hello", "--cases", "scenarios"], ["serve", "--builtin", "--cases", "nowhere"],
    ])
    func `wrong use says so and ends with 2`(arguments: [String]) throws {
        let result = try Command(arguments, in: try Folder(Self.both)).end()
        #expect(result.status == 2)
        #expect(!result.errors.isEmpty)
        #expect(result.output.isEmpty)
    }

    @Test(arguments: [["run"], ["list"], ["list", "--rows"], ["mutate"]])
    func `a misspelt pattern gets what was probably meant`(command: [String]) throws {
        let result = try Command(command + ["frist/hello"], in: try Folder(Self.both)).end()
        #expect(result.status == 2)
        #expect(result.errors == "understudy: no case is meant by 'frist/hello'; did you mean 'first/hello'?\n")
    }

    @Test func `what can only be served is not run, and says so`() throws {
        let folder = try Folder(["first/served": "routes: [{request: GET /}]\n"])
        for command in ["run", "mutate"] {
            let result = try Command.run(command, "first/served", in: folder)
            #expect(result.status == 2)
            #expect(result.errors.contains("no scenario of 'first/served' has a 'client:', so it can only be served"))
        }
        #expect(try Command.run("list", "first/served", in: folder).status == 0)
    }

    @Test(arguments: [[], ["--scenarios", "my scenarios"], ["elsewhere.yaml"]])
    func `the printed command repeats, from any folder`(words: [String]) throws {
        let folder = try Folder(["first/wrong": Sample.wrong])
        let other = folder.url.appendingPathComponent("my scenarios")
        try FileManager.default.copyItem(at: folder.url.appendingPathComponent("scenarios"), to: other)
        let elsewhere = Sample.wrong.replacing("scenario: first/wrong\n", with: "")
        try Data(elsewhere.utf8).write(to: folder.url.appendingPathComponent("elsewhere.yaml"))
        let first = try Command(["run", "--world", "simulated", "--style", "async"] + words, in: folder).end()
        #expect(first.status == 1, "\(first.errors)")
        let lines = first.output.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
        let command = try #require(lines.first { $0.hasPrefix("repeat: ") }).dropFirst("repeat: ".count)
        let again = try Command(line: "cd / && \(command)", in: folder).end()
        #expect(again.status == 1, "\(again.errors)")
        #expect(again.output.contains("1 case in") && again.output.contains("0 passed, 1 failed"))
    }

    @Test(arguments: [[], ["run"], ["serve"], ["lint"], ["matrix"], ["schema"]])
    func `the version is told everywhere, and it is the library's`(command: [String]) throws {
        let result = try Command(command + ["--version"], in: try Folder()).end()
        #expect(result.status == 0)
        #expect(result.output == "understudy \(LibraryVersion.text)\n")
    }

    @Test func `an absolute path is as good as an id`() throws {
        let folder = try Folder(Self.both)
        for path in [
            "scenarios/first/hello.yaml", "\(folder.url.path)/scenarios/first/hello.yaml", "./scenarios/first/h*",
        ] {
            let result = try Command.run("run", path, "--world", "simulated", "--style", "async", in: folder)
            #expect(result.status == 0, "\(result.errors)")
        }
    }

    @Test func `who has closed the standard streams gets a whole run`() throws {
        let folder = try Folder(Self.both)
        let command = try Command(
            ["run", "first/hello", "--world", "simulated", "--report", "report"], closing: "<&- >&-", in: folder)
        #expect(command.end().status == 0)
        #expect(try folder.text("report/results.jsonl").split(separator: "\n").count == 3)
    }

    @Test func `a portion at the end of all seeds is played`() throws {
        let last = "\(UInt64.max)"
        let result = try Command.run(
            "run", "first/hello", "--style", "async", "--explore", "seeds=\(last)..\(last)", in: try Folder(Self.both))
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }

    @Test func `nobody needs to read what it prints`() throws {
        let command = try Command(["run", "--world", "simulated"], in: try Folder(Self.both))
        command.stopReading()
        #expect(command.end().status == 1)
    }

    @Test func `a position that is never reached is no proof`() throws {
        for position in ["cut:9:0:fin", "split:0:9999", "cancel:t:9999"] {
            let result = try Command.run("run", "first/hello", "--explore", position, in: try Folder(Self.both))
            #expect(result.status == 1)
            #expect(result.output.contains("is never reached"))
        }
    }

    @Test func `a file that cannot be read stops the run before it begins`() throws {
        let folder = try Folder(["first/hello": Sample.hello, "first/misspelt": Sample.misspelt])
        let result = try Command.run("run", in: folder)
        #expect(result.status == 2)
        #expect(result.errors.contains("first/misspelt.yaml:5:"))
    }

    /// In one process, one behind the other: what it has learned by then is nothing to the second.
    @Test(arguments: ["delegate", "completion", "async"])
    func `a journal is the same whatever its process has played before`(style: String) throws {
        func journal(_ scenarios: [String: String]) throws -> String {
            let folder = try Folder(scenarios)
            let result = try Command.run(
                "run", "--world", "simulated", "--style", style, "--seed", "3", "--jobs", "1", "--journal", "j",
                in: folder)
            #expect(result.status == 0)
            return try folder.text("j/first/hello.\(style).txt")
        }
        // With an answer, callers of every style have a delegate.
        let hello = Sample.hello.replacing("client:", with: "client:\n  - {answer: {redirect: follow}}")
        let both = try journal([
            "first/before": hello.replacing("first/hello", with: "first/before"), "first/hello": hello,
        ])
        #expect(both == (try journal(["first/hello": hello])))
    }

    /// Two processes: nothing of a process, its addresses or its hash seeds, may decide what happens.
    @Test func `one seed is one journal in two processes, another seed another`() throws {
        let file = "files: {a.txt: abc}\nclient:\n  - {task: u, request: GET file:a.txt}"
        let folder = try Folder(["first/hello": Sample.hello.replacing("client:", with: file)])
        func journal(_ seed: Int, _ name: String) throws -> String {
            let result = try Command.run(
                "run", "first/hello", "--world", "simulated", "--style", "async", "--seed", "\(seed)", "--journal",
                name, in: folder)
            #expect(result.status == 0)
            return try folder.text("\(name)/first/hello.async.txt")
        }
        let journals = try (1...4).map { try journal($0, "a\($0)") }
        #expect(journals == (try (1...4).map { try journal($0, "b\($0)") }))
        #expect(Set(journals).count > 1)
        #expect(journals.allSatisfy { $0.contains("GET /hello") && $0.contains("/a.txt") && $0.contains("complete") })
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 130), (SIGKILL, SIGKILL)] as [(Int32, Int32)], [[], ["--watch"]])
    func `an interrupted run ends, and its workers with it`(end: (signal: Int32, status: Int32), more: [String]) throws
    {
        let command = try Command(
            ["run", "--style", "delegate", "--explore", "every-split", "--jobs", "1"] + more,
            in: try Folder(["first/long": Sample.long]))
        let workers = try #require(Self.children(of: command.process.processIdentifier))
        kill(command.process.processIdentifier, end.signal)
        #expect(command.end().status == end.status)
        #expect(Self.eventually { workers.contains(where: Self.isAlive) ? nil : true } == true)
    }

    /// Asks the kernel again and again: the end of a grandchild is not reported.
    private static func eventually<Value>(_ look: () -> Value?) -> Value? {
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            if let value = look() { return value }
            _ = poll(nil, 0, 10)
        }
        return nil
    }

    private static func children(of process: Int32) -> [Int32]? {
        eventually {
            let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
            let found = tasks.flatMap { task -> [Int32] in
                let text = try? String(contentsOfFile: "/proc/\(process)/task/\(task)/children", encoding: .utf8)
                return (text ?? "").split(separator: " ").compactMap { Int32($0) }
            }
            return found.isEmpty ? nil : found
        }
    }

    /// A zombie that has not been waited for is dead.
    private static func isAlive(_ process: Int32) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
        return !status.contains(") Z ")
    }
}
