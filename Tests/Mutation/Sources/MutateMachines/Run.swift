import Foundation

/// One program run to its end, or to its limit.
enum Run {
    enum Status: Equatable, Sendable {
        case exited(Int32)
        case outOfTime
    }

    /// What a mutant may hold before it is taken for one that never ends.
    private static let memory = 4 << 20

    static func command(_ words: [String], in folder: URL, output: URL? = nil) throws -> Status {
        try run(["/usr/bin/env"] + words, in: folder, environment: [:], output: output)
    }

    /// With a limit of seconds and one of memory, and with `environment` added to this process's.
    static func limited(
        _ words: [String], in folder: URL, environment: [String: String], seconds: Int
    ) throws -> Status {
        let shell = "ulimit -v \(memory); exec timeout --foreground --signal=KILL \(seconds) \"$@\""
        let status = try run(["/bin/sh", "-c", shell, "sh"] + words, in: folder, environment: environment, output: nil)
        return status == .exited(124) || status == .exited(137) ? .outOfTime : status
    }

    private static func run(
        _ words: [String], in folder: URL, environment: [String: String], output: URL?
    ) throws -> Status {
        let process = Process()
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        if let output {
            try Data().write(to: output)
            process.standardOutput = try FileHandle(forWritingTo: output)
        } else {
            process.standardOutput = FileHandle.nullDevice
        }
        process.standardError = process.standardOutput
        try process.run()
        process.waitUntilExit()
        return .exited(process.terminationStatus)
    }
}
