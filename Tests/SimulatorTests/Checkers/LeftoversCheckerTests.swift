import ClientMachines
import HTTPBasics
import Testing

@testable import Simulator

@Suite struct LeftoversCheckerTests {
    private static let address = NetworkAddress(text: "127.0.0.1", port: 80)
    private static let connect = output(.connect(first, for: DialID(1), address))
    private static let resolve = output(.resolve(DialID(1), host: "a.test", port: 80))
    private static func failed(_ family: AddressFamily) -> Observation {
        input(.resolveFailed(DialID(1), family, detail: ""))
    }
    private static let open = output(.file(one, .open(path: "/f", offset: 0)))
    private static let later = Observation.turnEnded(deadline: .zero + .seconds(1))
    private static let never = Observation.turnEnded(deadline: nil)

    @Test(
        arguments: [
            [start(), later, connect, tell(success), later, input(.closed(first)), never],
            [start(), open, output(.file(one, .close(renamedTo: nil))), tell(success), never],
            [start(), open, output(.file(one, .discard)), tell(failure), never],
            [start(), open, input(.fileFailed(one, .cannotOpenFile, detail: "")), tell(failure), never],
            [start(), later],
            [resolve, failed(.v6), failed(.v4), never],
            [resolve, output(.stopResolving(DialID(1))), never],
            [input(.invalidate(cancelling: true)), output(.invalidated), never],
            // An unused connection with its timer: the run ended before the timer did.
            [start(), connect, tell(success), later],
        ] as [[Observation]])
    func `what is put away passes`(observations: [Observation]) {
        #expect(findings(of: LeftoversChecker(), [.session(ClientSettings())] + observations).isEmpty)
    }

    @Test(
        arguments: [
            ([start(), tell(success), later], "a timer is armed although no task, connection or file is left"),
            ([start(), open, tell(failure), never], "the file of a completed task is still open"),
            (
                [start(), connect, tell(success), never],
                "connection 1 is still open: no task uses it and no timer will close it"
            ),
            (
                [connect, input(.invalidate(cancelling: true)), output(.invalidated), later],
                "connection 1 is still open: its session is invalid"
            ),
            (
                [start(), resolve, failed(.v6), tell(success), never],
                "the lookup of dial 1 is still running"
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
