import DequeModule
import HTTPBasics
import MachineContract
import NIOCore

/// A task whose answer is in memory: whoever starts it plays it to its end, without an engine.
///
/// It is the task's own machine that plays, so that nothing of what a cache may do is written twice. It has no
/// connection, no file, no timer: where it wants one, nothing has happened yet, and the task begins in the engine.
///
/// Not to be copied: copies would play the same machine.
package struct TaskAtHand {
    /// Who has what it takes.
    package protocol Storages {
        /// Answers without waiting; nil where that cannot be.
        func answer(_ question: UserQuestion) -> UserAnswer?
        /// What was offered under this number, as the answer to a request.
        func kept(_ index: Int, for request: ClientRequest) -> (Response, ByteBuffer)?
    }

    /// What the user is told.
    package private(set) var calls: [UserCall] = []
    /// What the user is asked behind that: without an answer nothing goes on.
    package private(set) var question: Response?
    /// It was played to its end.
    package private(set) var isOver = false

    private let machine: TaskMachine
    /// A kept answer takes four: it has arrived, its response, its data, its end.
    private var inputs = Deque<TaskInput>(minimumCapacity: 4)
    private var outputs: [TaskOutput] = []

    /// Nil if there is something to be waited for.
    package init?(_ plan: TaskPlan, _ settings: SharedSettings, _ storages: some Storages, at moment: Moment) {
        let known = KnownStorage()
        known.mayHaveSome = true
        machine = TaskMachine(plan: plan, settings: settings, cookies: known, cache: known, at: moment)
        inputs.append(.start(suspended: false))
        guard play(storages, at: moment) else { return nil }
    }

    /// The user wants the answer: what is told then, in place of `calls`. Nil as for `init`.
    package mutating func allow(_ storages: some Storages, at moment: Moment) -> [UserCall]? {
        guard question != nil else { return nil }
        (question, calls) = (nil, [])
        inputs.prepend(.answer(.response(allow: true)))
        return play(storages, at: moment) && isOver ? calls : nil
    }

    private mutating func play(_ storages: some Storages, at moment: Moment) -> Bool {
        while question == nil, let input = inputs.popFirst() {
            if case .loaded = input {
                guard machine.wantsEvents else { return false }
            }
            machine.handle(input, at: moment, into: &outputs)
            for output in outputs {
                guard take(output, storages, at: moment) else { return false }
            }
            outputs.removeAll(keepingCapacity: true)
        }
        return isOver || question != nil
    }

    private mutating func take(_ output: TaskOutput, _ storages: some Storages, at moment: Moment) -> Bool {
        switch output {
        case .tell(.complete(.some)):
            // What is not in memory may be on disk.
            return false
        case .tell(let call):
            calls.append(call)
        case .ask(.response(let response, _)):
            question = response
            // In the engine it would begin with its first request once more.
            return machine.redirectCount == 0
        case .ask(let asked):
            guard let answer = storages.answer(asked) else { return false }
            inputs.append(.answer(answer))
        case .loadKept(let index):
            guard let (response, body) = storages.kept(index, for: machine.request) else { return false }
            machine.log?.arrived(at: moment.instant)
            inputs.append(.arrived)
            inputs.append(.loaded(.response(response)))
            if body.readableBytes > 0 { inputs.append(.loaded(.data(body))) }
            inputs.append(.loaded(.end))
        case .release, .abandon:
            // The body is over, or a redirect has no use for it.
            inputs.removeAll()
        case .finished:
            isOver = true
        default:
            return false
        }
        return true
    }
}
