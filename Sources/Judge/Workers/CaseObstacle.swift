import ScenarioFormat
import ServerScript

/// Why a case cannot be played on this machine, which says nothing about the client: it is counted as not played.
package struct CaseObstacle: Error {
    package var reason: String

    package init(_ reason: String) { self.reason = reason }

    /// Nil where nothing is missing that the case needs.
    package init?(_ scenarioCase: ScenarioCase) {
        guard let missing = scenarioCase.codings.lazy.compactMap(\.missingLibrary).first else { return nil }
        self.init("needs \(missing), which is not installed")
    }
}
