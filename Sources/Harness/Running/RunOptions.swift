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
    package var jobs = ProcessInfo.processInfo.activeProcessorCount
    package var shard: Shard?
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

    package init(root: String, executable: String) {
        self.root = root
        self.executable = executable
    }
}
