import HTTPBasics
import Testing

@testable import ClientMachines

@Suite struct TaskPlanTests {
    // BEHAVIOUR 1.D2, 1.D3
    @Test func `a task may be silent for a minute and live for a week`() {
        let plan = TaskPlan(request: ClientRequest(url: URLReference(scheme: "http", host: "h", path: "/")))
        #expect(plan.requestTimeout == .seconds(60))
        #expect(plan.resourceTimeout == .seconds(7 * 24 * 3600))
    }

    @Test func `each kind of question is told from the others`() {
        let kinds: [QuestionKinds] = [.redirect, .challenge, .response, .bodyStream]
        for kind in kinds {
            #expect(kinds.filter { !$0.isDisjoint(with: kind) } == [kind])
        }
    }
}
