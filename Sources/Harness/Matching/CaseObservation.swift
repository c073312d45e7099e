import HTTPBasics
import ScenarioFormat
import ServerScript

/// Everything that one played case left behind to be judged.
package struct CaseObservation: Sendable {
    package var journal = EventJournal()
    package var server: [ServerEvent] = []
    /// Steps of the script that were not consumed, in words.
    package var unconsumed: [String] = []
    /// Files in the case's download directory when all was over.
    package var temporaryFiles: [String] = []
    /// What checkers and machines reported by themselves.
    package var breaches: [String] = []
    /// Set when the client lane stood still: what it waited for.
    package var wedge: String?
    /// How long the machine did not run us; zero in virtual time.
    package var stall: Duration = .zero
    /// How long the case took on its world's clock.
    package var duration: Duration = .zero
    package var hasQuestionDelegate = false
    /// The wire as each side saw it, line by line, for reports.
    package var wireTrace: [String] = []

    package init() {}
}
