import Testing

@testable import ClientMachines

@Suite struct TaskPlanTests {
    @Test func `each kind of question is told from the others`() {
        let kinds: [QuestionKinds] = [.redirect, .challenge, .response]
        for kind in kinds {
            #expect(kinds.filter { !$0.isDisjoint(with: kind) } == [kind])
        }
    }
}
