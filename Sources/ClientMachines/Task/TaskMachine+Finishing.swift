import HTTPBasics
import MachineContract

/// Stage `completed`: the one door through which every task leaves.
extension TaskMachine {
    func finish(_ failure: Failure?, _ turn: inout Turn) {
        guard stage != .completed else { return }
        stage = .completed
        // Not if it could not be superseded after all, and goes back to the user.
        if let superseded, superseded != failure?.resume?.path {
            turn.outputs.append(.file(.remove(path: superseded)))
        }
        if let metrics = log?.metrics(redirectCount: redirectCount) { turn.outputs.append(.tell(.metrics(metrics))) }
        turn.outputs.append(.tell(.complete(failure)))
        turn.outputs.append(.finished)
    }

    func failure(
        _ kind: Failure.Kind, _ blame: Blame, _ detail: String, resume: ResumeToken? = nil,
        security: SecureFailure? = nil, obstacle: PathObstacle? = nil
    ) -> Failure {
        let url = failingURL ?? resumable?.original.url ?? request.url
        return Failure(
            kind, blame, detail, url: url, resume: resume, upload: resumable?.token(home: home), security: security,
            obstacle: obstacle)
    }
}
