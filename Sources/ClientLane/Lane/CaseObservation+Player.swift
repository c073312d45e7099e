import HTTPBasics
import Judge

/// What every driver takes from the lane.
extension CaseObservation {
    /// How the lane stands.
    mutating func look(at player: ClientLanePlayer) {
        origins = player.origins
        journal = player.journal
        laneFailure = player.failure
        hasQuestionDelegate = player.hasQuestionDelegate
        if let cookies = player.storedCookies { self.cookies = cookies }
        hasKeptResumeData = player.hasKeptResumeData
    }

    /// Whether nothing is under way, and nothing is missing that the scenario expects.
    func isSettled(_ player: ClientLanePlayer) -> Bool {
        guard player.isQuiet else { return false }
        return CaseJudge(
            self, expecting: player.scenarioCase.expect, style: player.style, tolerance: .exact
        ).isSettled
    }

    /// What has come until the session was down, and how the requests went since `start`.
    mutating func close(_ player: ClientLanePlayer, _ recorder: TransferRecorder?, since start: Instant) {
        fullJournal = player.journal
        transfers = recorder?.transfers(since: start, of: player) ?? []
    }
}
