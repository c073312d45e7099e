import ClientMachines
import Testing

@testable import Simulator

@Suite struct QuestionCheckerTests {
    @Test(
        arguments: [
            ([start(asks: .redirect), ask(redirect), answer(.redirect(nil))], []),
            ([start(asks: .redirect), ask(redirect), tell(failure), answer(.redirect(nil))], []),
            ([start(asks: [.redirect, .response]), ask(redirect, 1), ask(.response(okay), 2)], []),
            (
                [start(asks: .redirect), ask(redirect), answer(.redirect(nil)), answer(.redirect(nil))],
                [
                    "question 1 was answered twice"
                ]
            ),
            ([start(asks: .redirect), ask(redirect), ask(redirect)], ["question 1 was asked twice"]),
            ([answer(.response(allow: true))], ["an answer to question 1, which was never asked"]),
            (
                [start(asks: .redirect), ask(redirect), answer(.response(allow: true))],
                [
                    "question 1 got the answer to another kind of question"
                ]
            ),
            ([start(asks: .redirect), ask(.response(okay))], ["the user was asked response without a method for it"]),
        ] as [([Observation], [String])])
    func `each question is answered at most once, by someone who was asked`(
        observations: [Observation], sentences: [String]
    ) {
        #expect(findings(of: QuestionChecker(), observations) == sentences)
    }
}
