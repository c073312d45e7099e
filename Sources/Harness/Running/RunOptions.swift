import Foundation
import Judge
import ScenarioFormat

/// What `understudy run` was asked to do.
package struct RunOptions: Sendable {
    /// The folder with the scenarios.
    package var root: String
    package var patterns: [String] = []
    package var clients: [ClientName] = [.ours]
    package var worlds: [WorldName] = WorldName.allCases
    package var styles: [Style] = Style.allCases
    /// How many workers; without a number as many as keep the machine busy.
    package var jobs: Int?
    package var part: RunPart?
    package var seed: UInt64 = 0
    package var exploration: Exploration?
    package var reportDirectory: String?
    package var journalDirectory: String?
    /// Where exploration leaves scenarios of what it finds.
    package var foundDirectory: String?
    package var isInProcess = false
    /// What a scenario of the kind `should` finds is a failure as well, and so is a window widened beyond its meaning.
    package var isStrict = false
    /// Nothing new is played once something has failed.
    package var stopsAtFailure = false
    /// The program that plays cases when it is called with `worker`.
    package var executable: String
    /// How a user calls that program, from any folder.
    package var command: String?
    /// The same for the Swift toolchain's URLSession.
    var referenceWorker: String { "\(executable)-reference" }

    /// Over sockets a case mostly waits. Another client's records are of a machine that has time for it.
    func jobs(for client: ClientName) -> Int {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let waits = client == .ours && exploration == nil && worlds.contains(.sockets)
        return jobs ?? (waits ? 3 * cores : cores)
    }

    package init(root: String, executable: String) {
        self.root = root
        self.executable = executable
    }
}
