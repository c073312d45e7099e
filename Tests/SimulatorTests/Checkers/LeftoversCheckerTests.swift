import ClientMachines
import HTTPBasics
import Testing

@testable import Simulator

@Suite struct LeftoversCheckerTests {
    private static let resolve = output(.resolve(first, host: "a.test", port: 80))
    private static let open = output(.file(one, .open(path: "/f", offset: 0)))
    private static let later = Observation.turnEnded(deadline: .zero + .seconds(1))
    private static let never = Observation.turnEnded(deadline: nil)

    @Test(
        arguments: [
            [start(), later, resolve, tell(success), later, input(.closed(first)), never],
            [start(), open, output(.file(one, .close)), tell(success), never],
            [start(), open, output(.file(one, .discard)), tell(failure), never],
            [start(), open, input(.fileFailed(one, .cannotOpenFile, detail: "")), tell(failure), never],
            [start(), later],
            [resolve, input(.resolveFailed(first, detail: "")), never],
            [input(.invalidate(cancelling: true)), output(.invalidated), never],
            // An unused connection with its timer: the run ended before the timer did.
            [start(), resolve, tell(success), later],
        ] as [[Observation]])
    func `what is put away passes`(observations: [Observation]) {
        #expect(findings(of: LeftoversChecker(), [.session(ClientSettings())] + observations).isEmpty)
    }

    @Test(
        arguments: [
            ([start(), tell(success), later], "a timer is armed although no task, connection or file is left"),
            ([start(), open, tell(failure), never], "the file of a completed task is still open"),
            (
                [start(), resolve, tell(success), never],
                "connection 1 is still open: no task uses it and no timer will close it"
            ),
            (
                [resolve, input(.invalidate(cancelling: true)), output(.invalidated), later],
                "connection 1 is still open: its session is invalid"
            ),
            (
                [input(.invalidate(cancelling: false)), never],
                "the session was invalidated, has no task left, and never became invalid"
            ),
        ] as [([Observation], String)])
    func `what is left behind is found`(observations: [Observation], sentence: String) {
        #expect(findings(of: LeftoversChecker(), [.session(ClientSettings())] + observations) == [sentence])
    }
}
