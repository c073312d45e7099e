import HTTPBasics
import ScenarioFormat
import ServerScript
import JudgeTestSupport
import Testing

@testable import Judge

@Suite("Where a case makes sense")
struct SuitabilityTests {
    private func styles(_ actions: [ClientStep.Action], when: [ClientStep.Trigger] = []) -> [Style] {
        var scenarioCase = Make.scenarioCase(nil, actions)
        scenarioCase.client[scenarioCase.client.count - 1].when = when
        return Style.allCases.filter {
            Suitability.obstacle(Needs(), scenarioCase, world: .simulated, style: $0) == nil
        }
    }

    private func task(
        _ kind: TaskStep.Kind, resumed: Bool = true, ownDelegate: Bool = false
    ) -> ClientStep.Action {
        var task = TaskStep(label: "t", kind: kind, target: "/")
        task.ownDelegate = ownDelegate ? .full : nil
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
        #expect(
            styles([task(.download), .cancelKeepingResumeData(task: "t", ticket: nil)]) == [.delegate, .completion])
        #expect(styles([task(.data), .answer(AnswerRule(.response, .allow))]) == [.delegate])
    }

    @Test("A trigger needs an event that the style calls")
    func triggers() {
        #expect(styles([task(.data), .cancel(task: "t")], when: [.received(task: "t", bytes: 1)]) == [.delegate])
        #expect(styles([task(.bytes), .cancel(task: "t")], when: [.received(task: "t", bytes: 1)]) == [.async])
        let heard = task(.data, ownDelegate: true)
        #expect(styles([heard, .cancel(task: "t")], when: [.received(task: "t", bytes: 1)]) == [.delegate, .async])
        #expect(styles([heard, .cancel(task: "t")], when: [.event(task: "t", .data)]) == [.delegate, .async])
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

    @Test("Long waits make a case virtual-only")
    func waits() {
        let scenarioCase = Make.scenarioCase(nil, [.advance(.seconds(10))])
        #expect(Suitability.obstacle(Needs(), scenarioCase, world: .sockets, style: .delegate) != nil)
        #expect(Suitability.obstacle(Needs(), scenarioCase, world: .simulated, style: .delegate) == nil)
    }

    @Test("A question delegate exists where questions are answered or expected")
    func questionDelegate() {
        #expect(!QuestionDelegateNeed.exists(in: Make.scenarioCase()))
        #expect(
            QuestionDelegateNeed.exists(in: Make.scenarioCase(nil, [.answer(AnswerRule(.challenge, .cancelChallenge))]))
        )
        var expecting = Make.scenarioCase()
        expecting.expect.tasks = [
            TaskExpectation(label: "t", events: [.repeat(1...2, Make.pattern(.redirect))], mark: Make.mark)
        ]
        #expect(QuestionDelegateNeed.exists(in: expecting))
    }

    @Test("That an event never comes, or comes before another or in time, needs a delegate that hears it")
    func spokenOf() {
        var forbidding = Make.scenarioCase(), ordering = Make.scenarioCase(), timing = Make.scenarioCase()
        forbidding.expect.tasks = [TaskExpectation(label: "t", events: [.never([.redirect])], mark: Make.mark)]
        let place = { OrderRule.Place.event(task: "t", $0) }
        ordering.expect.order = [OrderRule(place(.sent), before: place(.complete), mark: Make.mark)]
        var task = TaskExpectation(label: "t", mark: Make.mark)
        task.timing = [TimingRule(.first(.challenge), since: .resume, within: .zero ... .zero, mark: Make.mark)]
        timing.expect.tasks = [task]
        for scenarioCase in [forbidding, ordering, timing] {
            #expect(QuestionDelegateNeed.exists(in: scenarioCase))
        }
    }
}
