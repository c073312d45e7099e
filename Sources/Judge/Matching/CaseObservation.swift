import HTTPBasics
import ScenarioFormat
import ServerScript

/// Everything that one played case left behind to be judged.
package struct CaseObservation: Sendable {
    package var journal = EventJournal()
    /// The same with what came while the session was taken down; invariants hold for it, too.
    package var fullJournal: EventJournal?
    package var server: [ServerEvent] = []
    /// Where the callers' times begin on the clock of the server's.
    package var start = Instant.zero
    /// Steps of the script that were not consumed, in words.
    package var unconsumed: [String] = []
    /// Files in the case's download directory when all was over.
    package var temporaryFiles: [String] = []
    /// Where the script's hosts were.
    package var origins = OriginTable([])
    /// What checkers and machines reported by themselves.
    package var breaches: [String] = []
    /// What was measured beyond its limits.
    package var excesses: [String] = []
    /// Why the client lane could not go on.
    package var laneFailure: Finding?
    /// Partial files belong to resume data then, and may stay.
    package var hasKeptResumeData = false
    /// Set when the client lane stood still: what it waited for.
    package var wedge: String?
    /// The simulated world made more steps than any case needs, or still had something to do when its time was over.
    package var isEndless = false
    /// The session was taken down and has said all that it had to say: nothing more can come.
    package var isOver = false
    /// How long the machine did not run us; zero in virtual time.
    package var stall: Duration = .zero
    /// How long the case took on its world's clock.
    package var duration: Duration = .zero
    /// How many connections the client tried to open; nil where it cannot be seen.
    package var attempts: Int?
    /// How many steps the simulated world made.
    package var steps = 0
    /// Whether exploration's cancel found a task that was under way.
    package var wasCancelled = false
    /// What the session's storage of cookies has, where that is asked for; nil without a storage.
    package var cookies: [SeenCookie]?
    /// Bends that changed nothing of what the server sent.
    package var idleBends: [Bend] = []
    package var hasQuestionDelegate = false
    /// How the requests went, where that was asked for.
    package var transfers: [Transfer] = []
    /// The wire as each side saw it, line by line, for reports.
    package var wireTrace: [String] = []
    /// What the machines took in and gave out, where it was asked for.
    package var machineJournal: String?

    package init() {}
}
