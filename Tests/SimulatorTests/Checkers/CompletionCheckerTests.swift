import ClientMachines
import Testing

@testable import Simulator

@Suite struct CompletionCheckerTests {
    // BEHAVIOUR 1.B1-3
    @Test(
        arguments: [
            ([start(), tell(.response(okay)), tell(data), tell(success)], []),
            ([start(), tell(failure), input(.invalidate(cancelling: false)), output(.invalidated)], []),
            ([start(suspended: true)], []),
            ([start(suspended: true), tell(failure)], []),
            ([start(), input(.suspend(one))], []),
            ([start(), tell(success), tell(success)], ["tell t1 complete after the task's completion"]),
            (
                [start(), tell(failure), ask(.response(okay))],
                [
                    "ask t1 q1 response 200 expecting 4 after the task's completion"
                ]
            ),
            ([tell(data)], ["tell t1 data 4B \"data\" for a task that was never started"]),
            (
                [start(suspended: true), tell(.response(okay))],
                [
                    "tell t1 response 200 expecting 4 for a task that was never resumed"
                ]
            ),
            ([start(), start(), tell(success)], ["a task identifier was used twice"]),
            ([start()], ["the task was resumed and never completed, and nothing is left that could complete it"]),
            ([start(suspended: true), output(.invalidated)], ["the session became invalid before the task completed"]),
            ([output(.invalidated), output(.close(first))], ["an output after the session became invalid: close c1"]),
            // BEHAVIOUR 1.H1-late
            ([output(.invalidated), start(), tell(failure)], []),
        ] as [([Observation], [String])])
    func `one completion and nothing after it`(observations: [Observation], sentences: [String]) {
        #expect(findings(of: CompletionChecker(), observations) == sentences)
    }
}
