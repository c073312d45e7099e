import ClientMachines
import HTTPBasics
import NIOCore

@testable import Simulator

/// One thing that a checker may see.
enum Observation: Sendable {
    case session(ClientSettings)
    case input(ClientInput)
    case output(ClientOutput)
    case turnEnded(deadline: Instant?)
    case opened(connection: Int, ConnectionID)
    case wire(connection: Int, WireEvent)

    func show(to checker: inout some Checker, _ findings: inout Findings) {
        switch self {
        case .session(let settings): checker.began(session: 0, settings)
        case .input(let input): checker.note(input, 0, &findings)
        case .output(let output): checker.note(output, 0, &findings)
        case .turnEnded(let deadline): checker.turnEnded(0, deadline: deadline, &findings)
        case .opened(let connection, let id):
            checker.opened(connection: connection, as: ConnectionKey(session: 0, id: id))
        case .wire(let connection, let event): checker.note(event, connection, &findings)
        }
    }
}

/// Shows observations to a checker and returns what it finds.
func violations(
    of checker: some Checker, _ observations: [Observation], atRest: Bool = true
) -> [InvariantViolation] {
    var checker = checker
    var findings = Findings()
    for observation in observations { observation.show(to: &checker, &findings) }
    if atRest { checker.judgeRest(&findings) }
    return findings.violations
}

/// The sentences of what it finds.
func findings(of checker: some Checker, _ observations: [Observation], atRest: Bool = true) -> [String] {
    violations(of: checker, observations, atRest: atRest).map(\.sentence)
}

let one = TaskID(1), two = TaskID(2), first = ConnectionID(1), second = ConnectionID(2)

func start(
    _ task: TaskID = one, kind: TaskPlan.Kind = .data, asks: QuestionKinds = [], suspended: Bool = false
) -> Observation {
    .input(.start(task, .get(kind: kind, asks: asks), suspended: suspended))
}

func input(_ input: ClientInput) -> Observation { .input(input) }
func output(_ output: ClientOutput) -> Observation { .output(output) }
func tell(_ call: UserCall, _ task: TaskID = one) -> Observation { .output(.tell(task, call)) }

func ask(_ question: UserQuestion, _ number: Int = 1, _ task: TaskID = one) -> Observation {
    .output(.ask(task, QuestionID(number), question))
}

func answer(_ answer: UserAnswer, _ number: Int = 1) -> Observation {
    .input(.answer(QuestionID(number), answer))
}

func wire(_ event: WireEvent, on connection: Int = 0) -> Observation { .wire(connection: connection, event) }

func opened(_ connection: Int = 0, _ id: ConnectionID = first) -> Observation {
    .opened(connection: connection, id)
}

/// What a task says of its transfers.
func metrics(_ transactions: Transaction..., end: Instant = .zero) -> UserCall {
    .metrics(TaskMetrics(transactions: transactions, redirectCount: 0, end: end))
}

/// A response head as a machine reports it.
let okay = Response(head: ResponseHead(status: 200), url: URLReference(path: "/"), expectedLength: 4)
let data = UserCall.data(ByteBuffer(string: "data"))
let success = UserCall.complete(nil)
let failure = UserCall.complete(Failure(.networkConnectionLost, .environment, "lost"))
let redirect = UserQuestion.redirect(okay, next: ClientRequest(url: URLReference(path: "/next")))
