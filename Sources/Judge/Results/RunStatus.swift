/// What `understudy run` says to its caller; documented in its help.
package enum RunStatus: Int32, Sendable {
    /// Every case that ran has passed.
    case passed = 0
    /// At least one case failed, was wedged or could not be set up.
    case failures = 1
    /// Wrong use: an unknown option, a pattern that matches nothing, a scenario file that cannot be read, and a run in
    /// which nothing was played, so that nothing is known.
    case usage = 2
    /// The harness itself broke.
    case `internal` = 3
    /// `serve`: a round was given up by its client, and none failed otherwise.
    case abandoned = 4
    /// SIGINT: what had finished was reported.
    case interrupted = 130

    /// - Parameter isPart: Others play the rest; this part may have got nothing.
    package init(_ totals: Totals, wasInterrupted: Bool, isPart: Bool = false) {
        if wasInterrupted {
            self = .interrupted
        } else if totals.hasFailures {
            self = .failures
        } else {
            self = totals.ran > 0 || isPart ? .passed : .usage
        }
    }
}
