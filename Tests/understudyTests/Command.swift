import Foundation

/// The command as a user has it: a process with its output and its exit status.
final class Command {
    struct Result: Sendable {
        let status: Int32
        let output: String
        let errors: String
    }

    let process = Process()
    private let folder: Folder
    private let output = Pipe()
    /// A file, since it is not read while the output is being read.
    private let errors: URL
    private var hasStoppedReading = false
    private var read: [UInt8] = []

    /// The executable lies beside the tests that are running.
    private static var executable: URL {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("understudy")
    }

    /// `closing` are a shell's redirections, such as `<&-`; `line` is a whole line for one, in place of the command.
    /// `terminal` is a place for standard error, and perhaps for standard output, with further variables.
    init(
        _ arguments: [String] = [], closing: String? = nil, line: String? = nil, terminal: TerminalUse? = nil,
        in folder: Folder
    ) throws {
        self.folder = folder
        let script = line ?? closing.map { "exec \"$0\" \"$@\" \($0)" }
        process.executableURL = script == nil ? Command.executable : URL(fileURLWithPath: "/bin/sh")
        let words = script.map { ["-c", $0, Command.executable.path] } ?? []
        process.arguments = words + arguments
        process.currentDirectoryURL = folder.url
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        errors = folder.url.appendingPathComponent("stderr-\(UUID().uuidString)")
        _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
        process.standardError = try FileHandle(forWritingTo: errors)
        if let terminal {
            process.standardError = terminal.terminal.device
            if terminal.hasOutput { process.standardOutput = terminal.terminal.device }
            process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "NO_COLOR" }
                .merging(["TERM": "xterm"].merging(terminal.environment) { $1 }) { $1 }
        }
        try process.run()
        try output.fileHandleForWriting.close()
    }

    static func run(_ arguments: String..., in folder: Folder) throws -> Result {
        try Command(arguments, in: folder).end()
    }

    /// The next line of its output; nil at the end.
    func line() -> String? {
        while true {
            if let end = read.firstIndex(of: 10) {
                defer { read.removeSubrange(...end) }
                return String(decoding: read[..<end], as: UTF8.self)
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            read += more
        }
    }

    /// As `| head -1` does.
    func stopReading() {
        try? output.fileHandleForReading.close()
        hasStoppedReading = true
    }

    /// Waits until it is over.
    func end() -> Result {
        let rest = read + (hasStoppedReading ? Data() : output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        let complaints = FileManager.default.contents(atPath: errors.path) ?? Data()
        return Result(
            status: process.terminationStatus, output: String(decoding: rest, as: UTF8.self),
            errors: String(decoding: complaints, as: UTF8.self))
    }
}

/// A folder with a few scenario files, and whatever the command leaves there.
final class Folder {
    let url: URL

    init(_ files: [String: String] = [:]) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("understudy-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (name, text) in files {
            let file = url.appendingPathComponent("scenarios/\(name).yaml")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: url.appendingPathComponent(name)), as: UTF8.self)
    }
}

/// Scenario files for the command.
enum Sample {
    static let hello = """
        scenario: first/hello
        about: One request, one answer.
        rows: [1.B1]
        server:
          - {request: GET /hello, reply: {body: hello}}
        client:
          - {task: t, request: GET /hello}
          - {await: t}
        expect:
          t: {complete: ok, body: hello}

        """

    static func named(_ id: String) -> String { hello.replacingOccurrences(of: "first/hello", with: id) }

    static let wrong = hello.replacingOccurrences(of: "first/hello", with: "first/wrong")
        .replacingOccurrences(of: "complete: ok, body: hello", with: "complete: ok, body: bye")
    static let misspelt = hello.replacingOccurrences(of: "first/hello", with: "first/misspelt")
        .replacingOccurrences(of: "reply:", with: "replay:")
    /// Thousands of positions: long enough to be interrupted.
    static let long = hello.replacingOccurrences(of: "first/hello", with: "first/long")
        .replacingOccurrences(of: "{request: GET /hello", with: "{request: GET /hello, times: 60")
        .replacingOccurrences(
            of: "  - {task: t, request: GET /hello}\n  - {await: t}\n",
            with: (1...60).map { "  - {task: t\($0), request: GET /hello}\n  - {await: t\($0)}\n" }.joined()
        )
        .replacingOccurrences(
            of: "  t: {complete: ok, body: hello}\n", with: (1...60).map { "  t\($0): ok\n" }.joined())
}
