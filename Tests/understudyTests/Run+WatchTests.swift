import Foundation
import Testing

/// `--watch` as a process: files change, output comes, Ctrl-C ends it.
@Suite struct RunWatchTests {
    private static let waiting = "Watching scenarios for changes; Ctrl-C ends it."

    /// Everything up to the line that says that it waits.
    private func output(of command: Command) throws -> [String] {
        var lines: [String] = []
        while true {
            let line = try #require(command.line(), "it ended with \(lines)")
            if line == Self.waiting { return lines }
            lines.append(line)
        }
    }

    private func interrupt(_ command: Command) -> Command.Result {
        kill(command.process.processIdentifier, SIGINT)
        return command.end()
    }

    /// As editors save: a new file takes the name of the old one.
    private func save(_ text: String, _ name: String, in folder: Folder) throws {
        try Data(text.utf8).write(to: folder.url.appendingPathComponent("scenarios/\(name)"), options: .atomic)
    }

    @Test func `a run plays again what changes, and nothing else`() throws {
        let folder = try Folder(["first/hello": Sample.hello, "other/good": Sample.named("other/good")])
        let command = try Command(["run", "--world", "simulated", "--watch"], in: folder)
        #expect(try output(of: command).contains { $0.hasPrefix("6 cases in ") })

        try save(Sample.hello.replacing("body: hello}\n", with: "body: bye}\n"), "first/hello.yaml", in: folder)
        let failed = try output(of: command)
        #expect(failed.contains("changed: first/hello"))
        #expect(failed.contains { $0.hasPrefix("3 cases in ") && $0.hasSuffix("0 passed, 3 failed") })
        #expect(failed.contains("FAILED"))

        try save(Sample.hello, "first/hello.yaml", in: folder)
        #expect(try output(of: command).contains("PASSED"))

        // A new file belongs to it as well.
        try save(Sample.named("first/new"), "first/new.yaml", in: folder)
        #expect(try output(of: command).contains("changed: first/new"))
        #expect(interrupt(command).status == 130)
    }

    @Test func `a file that cannot be read is complained of, and played when it can`() throws {
        let folder = try Folder(["first/misspelt": Sample.misspelt])
        let command = try Command(["run", "first", "--world", "simulated", "--watch"], in: folder)
        #expect(try output(of: command).isEmpty)
        try save(Sample.named("first/misspelt"), "first/misspelt.yaml", in: folder)
        #expect(try output(of: command).contains("PASSED"))
        let result = interrupt(command)
        #expect(result.status == 130)
        #expect(result.errors.contains("did you mean 'reply'?"))
    }

    @Test func `lint checks again what changes, and what names a body file that does`() throws {
        let text = "server: [{request: GET /, reply: {body: {file: blob.txt}}}]\n"
        let folder = try Folder(["first/hello": Sample.hello, "first/file": text])
        let command = try Command(["lint", "--watch"], in: folder)
        #expect(try output(of: command).last == "2 files, 1 error, 0 warnings")
        try save("hello", "first/blob.txt", in: folder)
        #expect(try output(of: command) == ["", "changed: scenarios/first/file.yaml", "1 file, 0 errors, 0 warnings"])
        try save(Sample.misspelt, "first/hello.yaml", in: folder)
        #expect(try output(of: command).contains { $0.contains("did you mean 'reply'?") })
        #expect(interrupt(command).status == 130)
    }

    @Test(arguments: [["run", "no/such"], ["run", "--shard", "1/2"], ["lint", "no/such"]])
    func `wrong use ends at once`(arguments: [String]) throws {
        let result = try Command(arguments + ["--watch"], in: try Folder(["first/hello": Sample.hello])).end()
        #expect(result.status == 2)
        #expect(!result.errors.isEmpty)
    }
}
