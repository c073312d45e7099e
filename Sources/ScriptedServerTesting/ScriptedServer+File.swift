import ScenarioFormat
import ScriptedServer
import ServerScript

extension ScriptedServer {
    /// Starts a server that plays the server's side of a scenario file, as `understudy serve` does.
    ///
    /// - Parameters:
    ///   - file: The file's path. A relative one is seen from the working folder, which is the package's own under
    ///     `swift test`.
    ///   - caseName: Which of the file's cases; the first without it.
    ///   - bind: The IP address to listen on, or a name that has one.
    ///   - port: The port of the first host; 0 lets the system choose.
    ///   - seed: Decides which faults with a probability happen; the same seed, the same faults.
    /// - Throws: `ScriptedServerError` if the file cannot be read or has mistakes, each with its line and column; if it
    ///   has no such case; or if the server cannot listen there.
    public static func start(
        file: String, case caseName: String? = nil, bind: String = "127.0.0.1", port: Int = 0, seed: UInt64 = 0
    ) async throws -> ScriptedServer {
        try await start(script: script(of: file, caseName), bind: bind, port: port, seed: seed)
    }

    /// Starts a server without a port that plays the server's side of a scenario file, as
    /// `ScriptedServer.startInProcess(seed:_:)` starts one.
    ///
    /// - Parameters:
    ///   - file: The file's path. A relative one is seen from the working folder, which is the package's own under
    ///     `swift test`.
    ///   - caseName: Which of the file's cases; the first without it.
    ///   - seed: Decides which faults with a probability happen; the same seed, the same faults.
    /// - Throws: `ScriptedServerError` if the file cannot be read or has mistakes, each with its line and column, or if
    ///   it has no such case.
    public static func startInProcess(
        file: String, case caseName: String? = nil, seed: UInt64 = 0
    ) async throws -> ScriptedServer {
        try await start(script: script(of: file, caseName), isInProcess: true, seed: seed)
    }

    private static func script(of file: String, _ caseName: String?) throws(ScriptedServerError) -> Script {
        let result = ScenarioReader.read(path: file, root: ScenarioLibrary.root(around: file), cases: .one(caseName))
        guard let scenario = result.scenario else {
            throw ScriptedServerError(result.diagnostics.map { $0.rendered() }.joined(separator: "\n"))
        }
        guard let chosen = scenario.cases.first else {
            let names = result.caseNames.isEmpty ? "none" : result.caseNames.joined(separator: ", ")
            throw ScriptedServerError("\(file) has no case '\(caseName ?? "")'; it has: \(names)")
        }
        return chosen.script
    }
}
