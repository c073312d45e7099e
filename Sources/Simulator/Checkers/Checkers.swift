import ClientMachines
import HTTPBasics

/// The invariants of every run, one after another.
///
/// Each by its own name and type: all of them look at all that happens, and most of it does not concern most of them.
package struct Checkers: Checker {
    package static let name: StaticString = "all"

    private var bug = BugChecker()
    private var completion = CompletionChecker()
    private var callOrder = CallOrderChecker()
    private var question = QuestionChecker()
    private var body: BodyChecker
    private var counter = CounterChecker()
    private var window = WindowChecker()
    private var connection: ConnectionChecker
    private var leftovers = LeftoversChecker()
    private var metrics = MetricsChecker()
    private var work = WorkChecker()

    package init(exchangesAtATime: Int = 1) {
        body = BodyChecker(exchangesAtATime: exchangesAtATime)
        connection = ConnectionChecker(exchangesAtATime: exchangesAtATime)
    }

    package mutating func began(session: Int, _ settings: ClientSettings) {
        window.began(session: session, settings)
        counter.began(session: session, settings)
        connection.began(session: session, settings)
        leftovers.began(session: session, settings)
    }

    package mutating func note(_ input: ClientInput, _ session: Int, _ findings: inout Findings) {
        findings.ask(&completion) { $0.note(input, session, &$1) }
        findings.ask(&callOrder) { $0.note(input, session, &$1) }
        findings.ask(&question) { $0.note(input, session, &$1) }
        findings.ask(&body) { $0.note(input, session, &$1) }
        findings.ask(&counter) { $0.note(input, session, &$1) }
        findings.ask(&window) { $0.note(input, session, &$1) }
        findings.ask(&connection) { $0.note(input, session, &$1) }
        findings.ask(&leftovers) { $0.note(input, session, &$1) }
        findings.ask(&metrics) { $0.note(input, session, &$1) }
    }

    package mutating func note(_ output: ClientOutput, _ session: Int, _ findings: inout Findings) {
        findings.ask(&bug) { $0.note(output, session, &$1) }
        findings.ask(&completion) { $0.note(output, session, &$1) }
        findings.ask(&callOrder) { $0.note(output, session, &$1) }
        findings.ask(&question) { $0.note(output, session, &$1) }
        findings.ask(&body) { $0.note(output, session, &$1) }
        findings.ask(&counter) { $0.note(output, session, &$1) }
        findings.ask(&window) { $0.note(output, session, &$1) }
        findings.ask(&connection) { $0.note(output, session, &$1) }
        findings.ask(&leftovers) { $0.note(output, session, &$1) }
        findings.ask(&metrics) { $0.note(output, session, &$1) }
        findings.ask(&work) { $0.note(output, session, &$1) }
    }

    package mutating func turnEnded(_ session: Int, deadline: Instant?, _ findings: inout Findings) {
        findings.ask(&leftovers) { $0.turnEnded(session, deadline: deadline, &$1) }
        findings.ask(&work) { $0.turnEnded(session, deadline: deadline, &$1) }
    }

    package mutating func opened(connection number: Int, as client: ConnectionKey) {
        body.opened(connection: number, as: client)
        connection.opened(connection: number, as: client)
    }

    package mutating func note(_ event: WireEvent, _ number: Int, _ findings: inout Findings) {
        findings.ask(&body) { $0.note(event, number, &$1) }
        findings.ask(&connection) { $0.note(event, number, &$1) }
    }

    package mutating func judgeRest(_ findings: inout Findings) {
        findings.ask(&completion) { $0.judgeRest(&$1) }
        findings.ask(&leftovers) { $0.judgeRest(&$1) }
    }
}

extension ClientInput {
    /// The connection that an input from the network is about.
    var connection: ConnectionID? {
        switch self {
        case .connected(let id, _, _), .connectFailed(let id, _), .received(let id, _), .looked(let id),
            .inputClosed(let id), .closed(let id), .wrote(let id, _), .trustAsked(let id, _),
            .identityAsked(let id, _), .secured(let id, _), .secureFailed(let id, _):
            return id
        case .path, .resolved, .resolveFailed, .start, .suspend, .resume, .cancel, .answer, .delivered, .goOn,
            .bodyRead, .loaded, .bodyFileOpened, .bodyFileFailed, .negotiated, .renewConnections, .forgetCredentials,
            .forgetCredential, .cookieStorageSays, .cacheSays, .invalidate, .fileOpened, .fileWrote, .fileClosed,
            .fileFailed, .timePassed:
            return nil
        }
    }
}
