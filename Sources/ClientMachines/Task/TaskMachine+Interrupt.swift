import HTTPBasics
import Inflate
import MachineContract

/// What can strike a task in any stage.
enum Interruption: Equatable, Sendable {
    case cancelled(keepingResumeData: Bool)
    case timedOut(TimeoutPlan.Expiry)
    case undecodable(InflateError)
    case failed(Failure.Kind, Blame, String, SecureFailure? = nil)

    static func broke(_ failure: SecureFailure) -> Interruption {
        .failed(failure.kind, .peer, failure.detail, failure)
    }
}

/// Cancel, deadline, connection loss and every failure, answered for all stages in one place.
extension TaskMachine {
    func interrupt(_ interruption: Interruption, _ turn: inout Turn) {
        // The upload has its final answer (BEHAVIOUR 1.I6-data).
        if case .confirmingBody = stage { resumable?.end() }
        switch stage {
        case .completed, .closingFile(.some):
            return  // Expected race: the task had already ended.
        case .idle, .delayed, .openingBody, .waitingForPath:
            finish(failure(for: interruption, resume: keptToken(for: interruption, at: turn.moment)), &turn)
        case .waitingForConnection, .negotiating(.setsOut):
            turn.outputs.append(.withdraw)
            finish(failure(for: interruption, resume: keptToken(for: interruption, at: turn.moment)), &turn)
        case .loading, .awaitingHead, .confirmingBody, .asking, .negotiating, .draining, .openingFile:
            abandon(&turn)
            endFile(failure(for: interruption, resume: keptToken(for: interruption, at: turn.moment)), &turn)
        case .receivingBody:
            if !attempt.bodyEnded { abandon(&turn) }
            endFile(failure(for: interruption, resume: keptToken(for: interruption, at: turn.moment)), &turn)
        case .closingFile(nil):
            // All has come: what is missing from the file is what the disk did not take.
            endFile(failure(for: interruption, resume: keptToken(for: interruption, at: turn.moment)), &turn)
        }
    }

    /// Resume data: always when a transfer fails, on a cancel only when asked for (BEHAVIOUR 1.F2).
    private func keptToken(for interruption: Interruption, at moment: Moment) -> ResumeToken? {
        switch interruption {
        case .cancelled(keepingResumeData: false), .undecodable: return nil
        case .cancelled, .timedOut, .failed:
            return resumeToken(at: moment) ?? untouchedToken
        }
    }

    /// What the former task left is still good for as long as nothing was added to it.
    private var untouchedToken: ResumeToken? {
        guard let download, var token = resuming else { return resuming }
        guard download.canResume, download.offset > 0, download.handed == download.offset else { return nil }
        token.path = download.path
        return token
    }

    /// Keeps the partial file if resume data names it, removes it otherwise; then the task completes.
    ///
    /// After a failure, what had arrived is still written and told first; a cancel cuts it off.
    private func endFile(_ failure: Failure, _ turn: inout Turn) {
        guard let download else { return finish(failure, &turn) }
        if failure.resume != nil || failure.kind != .cancelled && download.pending > 0 {
            // Closed once: a transfer that is complete has said so already.
            if stage != .closingFile(nil) { turn.outputs.append(.file(.close(renamedTo: nil))) }
            stage = .closingFile(failure)
        } else {
            turn.outputs.append(.file(.discard))
            finish(failure, &turn)
        }
    }

    private func failure(for interruption: Interruption, resume: ResumeToken?) -> Failure {
        switch interruption {
        case .cancelled(let keepsResumeData):
            if !keepsResumeData { resumable = nil }
            return failure(.cancelled, .caller, "The task was cancelled.", resume: resume)
        case .timedOut(.request):
            return failure(.timedOut, .peer, "Nothing was received for \(plan.requestTimeout).", resume: resume)
        case .timedOut(.resource):
            return failure(.timedOut, .environment, "Not finished after \(plan.resourceTimeout).", resume: resume)
        case .undecodable(let error):
            let kind = ContentDecoder.kind(of: error, isDownload: download != nil)
            return failure(kind, .peer, ContentDecoder.detail(of: error), resume: nil)
        case .failed(let kind, let blame, let detail, let security):
            // A body that is not what it was is not to be continued.
            if kind == .requestBodyStreamExhausted { resumable = nil }
            return failure(kind, blame, detail, resume: resume, security: security)
        }
    }
}
