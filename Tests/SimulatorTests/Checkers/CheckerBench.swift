import ClientMachines
import HTTPBasics
import NIOCore

@testable import Simulator

/// Shows observations to one checker and returns the sentences that it finds.
func findings(of checker: any Checker, _ observations: [Observation], atRest: Bool = true) -> [String] {
    var findings = Findings()
    for observation in observations { checker.observe(observation, &findings) }
    if atRest { checker.judgeRest(&findings) }
    return findings.violations.map(\.sentence)
}

let one = TaskID(1), two = TaskID(2), first = ConnectionID(1), second = ConnectionID(2)

func start(
    _ task: TaskID = one, kind: TaskPlan.Kind = .data, asks: QuestionKinds = [], suspended: Bool = false
) -> Observation {
    .clientInput(0, .start(task, .get(kind: kind, asks: asks), suspended: suspended))
}

func input(_ input: ClientInput) -> Observation { .clientInput(0, input) }
func output(_ output: ClientOutput) -> Observation { .clientOutput(0, output) }
func tell(_ call: UserCall, _ task: TaskID = one) -> Observation { .clientOutput(0, .tell(task, call)) }

func ask(_ question: UserQuestion, _ number: Int = 1, _ task: TaskID = one) -> Observation {
    .clientOutput(0, .ask(task, QuestionID(number), question))
}

func answer(_ answer: UserAnswer, _ number: Int = 1) -> Observation {
    .clientInput(0, .answer(QuestionID(number), answer))
}

func wire(_ event: WireEvent, on connection: Int = 0) -> Observation { .wire(connection: connection, event) }

func opened(_ connection: Int = 0, _ id: ConnectionID = first) -> Observation {
    .opened(connection: connection, session: 0, client: id, host: "a.test")
}

/// A response head as a machine reports it.
let okay = Response(head: ResponseHead(status: 200), url: URLReference(path: "/"), expectedLength: 4)
let data = UserCall.data(ByteBuffer(string: "data"))
let success = UserCall.complete(nil)
let failure = UserCall.complete(Failure(.networkConnectionLost, .environment, "lost"))
let redirect = UserQuestion.redirect(okay, next: ClientRequest(url: URLReference(path: "/next")))
