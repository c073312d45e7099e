import ClientMachines

/// The invariants of every run.
package enum Checkers {
    package static func all() -> [any Checker] {
        [
            BugChecker(), CompletionChecker(), CallOrderChecker(), QuestionChecker(), BodyChecker(), CounterChecker(),
            WindowChecker(), ConnectionChecker(), LeftoversChecker(),
        ]
    }
}

extension ClientInput {
    /// The connection that an input from the network is about.
    var connection: ConnectionID? {
        switch self {
        case .resolved(let id, _), .resolveFailed(let id, _), .connected(let id), .connectFailed(let id, _),
            .received(let id, _), .inputClosed(let id), .closed(let id), .wrote(let id, _):
            return id
        case .start, .suspend, .resume, .cancel, .answer, .delivered, .bodyRead, .renewConnections, .invalidate,
            .fileOpened, .fileWrote, .fileClosed, .fileFailed, .timePassed:
            return nil
        }
    }
}
