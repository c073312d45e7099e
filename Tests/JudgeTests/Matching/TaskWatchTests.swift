import JudgeTestSupport
import ScenarioFormat
import Testing

@testable import Judge

@Suite("What a task says of itself")
struct TaskWatchTests {
    /// A call of its caller's, and how the task looks then.
    private struct Call {
        var event: SeenEvent
        var error: String?
        var delivered: Int?
        var look = TaskLook()
    }

    /// A response of four bytes, heard piece by piece, with its progress looked at.
    private var sound: [Call] {
        var calls = [
            Call(event: Make.seen(.response)), Call(event: Make.seen(.data) { $0.bytes = 1 }),
            Call(event: Make.seen(.data) { $0.bytes = 3 }), Call(event: Make.success),
        ]
        for index in calls.indices {
            calls[index].look.hasResponse = true
            calls[index].look.isToldResponse = true
            calls[index].look.announced = 4
            calls[index].look.expectedToReceive = 4
            calls[index].look.isCurrent = true
            calls[index].look.isAnswered = true
            calls[index].look.holdsDelegate = index < 3
            calls[index].look.received = [0, 1, 4, 4][index]
            let completed = [0, 1, 4, 4][index]
            calls[index].look.progress = .init(completed: completed, total: index == 0 ? 0 : 4, isFinished: index == 3)
        }
        calls[3].look.state = .completed
        return calls
    }

    private func breaches(_ calls: [Call], _ facts: (inout TaskWatch.Facts) -> Void = { _ in }) -> [String] {
        var known = TaskWatch.Facts()
        known.hearsBody = true
        known.hearsSent = true
        known.length = 0
        facts(&known)
        var watch = TaskWatch(.all, known)
        for call in calls { watch.hear(call.event, error: call.error, delivered: call.delivered, call.look) }
        return watch.breaches
    }

    @Test("Each check is one of its own, and all of them are all")
    func checkBits() {
        let checks: [TaskWatch.Checks] = [
            .states, .errors, .originals, .requests, .responses, .counts, .progress, .notes, .delegates, .files,
            .handlers, .sessions, .metrics, .values,
        ]
        #expect(checks.allSatisfy { !TaskWatch.Checks().contains($0) })
        #expect(checks.reduce(0) { $0 + $1.rawValue } == TaskWatch.Checks.all.rawValue)
        #expect(Set(checks.map(\.rawValue)).count == checks.count)
    }

    @Test("Nothing is wrong with a task whose words are true")
    func truth() { #expect(breaches(sound).isEmpty) }

    private struct Lie: Sendable, CustomTestStringConvertible {
        var breach: String
        var call: Int
        var tell: @Sendable (inout TaskLook) -> Void

        var testDescription: String { breach }
    }

    private static let lies: [Lie] = [
        Lie(breach: "its identifier is 2", call: 1) { $0.identifier = 2 },
        Lie(breach: "its state is completed in 'data'", call: 2) { $0.state = .completed },
        Lie(breach: "its state is running in 'complete'", call: 3) { $0.state = .running },
        Lie(breach: "its error is timedOut in 'data', not nil", call: 1) { $0.error = "timedOut" },
        Lie(breach: "its error is timedOut in 'complete', not nil", call: 3) { $0.error = "timedOut" },
        Lie(breach: "originalRequest is another one in 'data'", call: 1) { $0.isOriginal = false },
        Lie(breach: "currentRequest is another one in 'response'", call: 0) { $0.isCurrent = false },
        Lie(breach: "currentRequest is not what the response answers", call: 3) { $0.isAnswered = false },
        Lie(breach: "it has no response in 'response'", call: 0) { $0.hasResponse = false },
        Lie(breach: "its response is another one in 'data' than was told", call: 1) { $0.isToldResponse = false },
        Lie(breach: "it expects -1 bytes of a response that announces 4", call: 2) { $0.expectedToReceive = -1 },
        Lie(breach: "it expects to send 5 bytes of 0", call: 0) { $0.expectedToSend = 5 },
        Lie(breach: "it counts 3 received bytes of 4", call: 2) { $0.received = 3 },
        Lie(breach: "it counts 5 received bytes at its end, of 4", call: 3) { $0.received = 5 },
        Lie(breach: "it counts 1 sent bytes at its end, of 0", call: 3) { $0.sent = 1 },
        Lie(breach: "its description or priority was lost by 'data'", call: 1) { $0.keepsNotes = false },
        Lie(breach: "it lost its delegate before its end", call: 2) { $0.holdsDelegate = false },
        Lie(breach: "it holds its delegate at its completion", call: 3) { $0.holdsDelegate = true },
        Lie(breach: "its progress ends with 0 of 0", call: 3) {
            $0.progress = .init(completed: 0, total: 0, isFinished: false)
        },
        Lie(breach: "its progress is 0 when it has told 4 and counted 4 bytes", call: 2) { $0.progress?.completed = 0 },
        Lie(breach: "its progress is to reach 9, not 4", call: 2) { $0.progress?.total = 9 },
        Lie(breach: "its progress is finished before its end", call: 1) { $0.progress?.isFinished = true },
    ]

    @Test("A lie is found in the call in which it is told", arguments: lies)
    private func lie(_ lie: Lie) {
        var calls = sound
        lie.tell(&calls[lie.call].look)
        #expect(breaches(calls).contains(lie.breach))
    }

    @Test("A handler's bytes are those that were counted, unless they go on from others")
    func delivered() {
        var end = Call(event: Make.success, delivered: 7)
        end.look.state = .completed
        end.look.received = 6
        let wrong = ["it counts 6 received bytes at its end, of 7"]
        #expect(breaches([end]) { $0.hearsBody = false } == wrong)
        #expect(breaches([end]) { ($0.hearsBody, $0.isContinued) = (false, true) } == [])
    }

    @Test("A task is what its caller has made of it, at once")
    func acts() {
        var watch = TaskWatch(.all, TaskWatch.Facts())
        var look = TaskLook()
        watch.act("resume()", shows: .running, look)
        #expect(watch.breaches == [])
        look.state = .suspended
        watch.act("cancel()", shows: .canceling, look)
        #expect(watch.breaches == ["after cancel() its state is suspended"])
    }

    @Test("What is not looked at is not found")
    func rules() {
        var look = TaskLook()
        look.isOriginal = false
        var watch = TaskWatch(.states, TaskWatch.Facts())
        watch.hear(Make.seen(.sent), error: nil, look)
        #expect(watch.breaches == [])
    }
}
