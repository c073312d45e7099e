import Foundation

/// One program run to its end, or to its limit.
enum Run {
    enum Status: Equatable, Sendable {
        case exited(Int32)
        case outOfTime
    }

    /// Bounds beyond which a program is taken for one that never ends.
    struct Limits: Sendable {
        /// Of the processor's time: a busy machine takes nothing away from it.
        var processorSeconds: Int
        /// For one that waits for ever.
        var seconds: Int

        /// Of address space, in KiB.
        fileprivate static let memory = 2 << 20
    }

    static func command(_ words: [String], in folder: URL, output: URL? = nil) throws -> Status {
        try run(["/usr/bin/env"] + words, in: folder, environment: [:], output: output)
    }

    /// With `environment` added to this process's.
    static func limited(
        _ words: [String], in folder: URL, environment: [String: String], limits: Limits
    ) throws -> Status {
        let shell = """
            ulimit -v \(Limits.memory) -t \(limits.processorSeconds)
            exec timeout --foreground --signal=KILL \(limits.seconds) "$@"
            """
        let status = try run(["/bin/sh", "-c", shell, "sh"] + words, in: folder, environment: environment, output: nil)
        // What `timeout` says for itself, and for a program that ended by SIGKILL or SIGXCPU.
        return [124, 128 + 9, 128 + 24].contains { status == .exited($0) } ? .outOfTime : status
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
