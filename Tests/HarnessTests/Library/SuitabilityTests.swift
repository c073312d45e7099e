import HTTPBasics
import ScenarioFormat
import ServerScript
import Testing

@testable import Harness

@Suite("Where a case makes sense")
struct SuitabilityTests {
    private func styles(_ actions: [ClientStep.Action], when: [ClientStep.Trigger] = []) -> [Style] {
        var scenarioCase = Make.scenarioCase(nil, actions)
        scenarioCase.client[scenarioCase.client.count - 1].when = when
        return Style.allCases.filter {
            Suitability.obstacle(Needs(), scenarioCase, world: .simulated, style: $0) == nil
        }
    }

    private func task(_ kind: TaskStep.Kind, resumed: Bool = true) -> ClientStep.Action {
        var task = TaskStep(label: "t", kind: kind, target: "/")
        task.isResumed = resumed
        return .task(task)
    }

    @Test("A style that lacks what the client lane needs is left out")
    func laneNeeds() {
        #expect(styles([task(.data)]) == Style.allCases)
        #expect(styles([task(.bytes)]) == [.async])
        #expect(styles([task(.data, resumed: false)]) == [.delegate, .completion])
        #expect(styles([task(.data), .suspend(task: "t")]) == [.delegate, .completion])
        #expect(styles([task(.data), .cancel(task: "t")]) == Style.allCases)
        #expect(styles([task(.download), .cancelKeepingResumeData(task: "t", ticket: nil)]) == [.delegate, .completion])
        #expect(styles([task(.data), .answer(AnswerRule(.response, .allow))]) == [.delegate])
    }

    @Test("A trigger needs an event that the style calls")
    func triggers() {
        #expect(styles([task(.data), .cancel(task: "t")], when: [.received(task: "t", bytes: 1)]) == [.delegate])
        #expect(styles([task(.bytes), .cancel(task: "t")], when: [.received(task: "t", bytes: 1)]) == [.async])
        #expect(styles([task(.data), .cancel(task: "t")], when: [.event(task: "t", .response)]) == [.delegate])
        #expect(styles([task(.data), .cancel(task: "t")], when: [.event(task: "t", .complete)]) == Style.allCases)
        #expect(styles([task(.data), .cancel(task: "t")], when: [.signal("x")]) == Style.allCases)
        let asking: [ClientStep.Action] = [.answer(AnswerRule(.redirect, .follow)), task(.data), .cancel(task: "t")]
        #expect(styles(asking, when: [.event(task: "t", .redirect)]) == Style.allCases)
    }

    @Test("needs: leaves out worlds and styles")
    func needs() {
        let obstacle = { (needs: Needs) in
            Suitability.obstacle(needs, Make.scenarioCase(), world: .sockets, style: .async)
        }
        #expect(obstacle(Needs()) == nil)
        #expect(obstacle(Needs(worlds: [.simulated])) != nil)
        #expect(obstacle(Needs(styles: [.delegate])) != nil)
        #expect(obstacle(Needs(worlds: [.sockets], styles: [.async])) == nil)
    }

    @Test("A question delegate exists where questions are answered or expected")
    func questionDelegate() {
        #expect(!QuestionDelegateNeed.exists(in: Make.scenarioCase()))
        #expect(QuestionDelegateNeed.exists(in: Make.scenarioCase(nil, [.answer(AnswerRule(.challenge, .cancelChallenge))])))
        var expecting = Make.scenarioCase()
        expecting.expect.tasks = [
            TaskExpectation(label: "t", events: [.repeat(1...2, Make.pattern(.redirect))], mark: Make.mark)
        ]
        #expect(QuestionDelegateNeed.exists(in: expecting))
        #expect(QuestionDelegateNeed.words(in: expecting) == [.redirect])
    }
}

@Suite("How long an author makes a case wait")
struct ScriptedWaitTests {
    private func wait(_ reply: Reply, times: Int = 1) -> Duration {
        var scenarioCase = Make.scenarioCase()
        scenarioCase.script.steps = [Step(.exchange(Exchange(RequestMatch(), reply: reply)), times: times)]
        return ScriptedWait.longest(in: scenarioCase)
    }

    @Test("Delays of the server add up")
    func server() {
        #expect(wait(Reply()) == .zero)
        #expect(wait(Reply(delay: .seconds(2)), times: 2) == .seconds(4))
        #expect(wait(Reply(timeline: [.bytes(1), .repeat(4, [.wait(.milliseconds(900)), .bytes(1)])])) == .milliseconds(3600))
        #expect(wait(Reply(fault: Fault(at: .head(3), do: .delay(.seconds(5))))) == .seconds(5))
        #expect(wait(Reply(fault: Fault(at: .idle(.seconds(7)), do: .fin))) == .seconds(7))
    }

    @Test("An expected time-out waits for its timer")
    func timeouts() {
        var scenarioCase = Make.scenarioCase()
        let pattern = Make.pattern(.complete) { $0.outcomes = [.failure(code: "timedOut", hasResumeData: nil)] }
        scenarioCase.expect.tasks = [TaskExpectation(label: "t", events: [pattern], mark: Make.mark)]
        #expect(ScriptedWait.longest(in: scenarioCase) == .seconds(60))
        scenarioCase.session.timeoutIntervalForRequest = .seconds(1)
        #expect(ScriptedWait.longest(in: scenarioCase) == .seconds(1))
        scenarioCase.session.timeoutIntervalForResource = .milliseconds(500)
        #expect(ScriptedWait.longest(in: scenarioCase) == .milliseconds(500))
    }

    @Test("Client waits and windows count too, and make a case virtual-only")
    func client() {
        let scenarioCase = Make.scenarioCase(nil, [.advance(.seconds(10))])
        #expect(ScriptedWait.longest(in: scenarioCase) == .seconds(10))
        #expect(Suitability.obstacle(Needs(), scenarioCase, world: .sockets, style: .delegate) != nil)
        #expect(Suitability.obstacle(Needs(), scenarioCase, world: .simulated, style: .delegate) == nil)
    }
}
