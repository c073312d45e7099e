import HTTPBasics
import MachineContract
import Testing

@testable import ClientMachines

@Suite struct FailureTests {
    private static let url = URLReference(scheme: "http", host: "h", path: "/a")
    private static let token = ResumeToken(
        url: url, fields: Fields(), offset: 7, validator: "\"v\"", path: "/tmp/f", total: 9)

    private static func failure(
        _ kind: Failure.Kind = .timedOut, _ blame: Blame = .peer, _ detail: String = "Too late.",
        url: URLReference? = url, resume: ResumeToken? = token
    ) -> Failure {
        Failure(kind, blame, detail, url: url, resume: resume)
    }

    @Test func `failures are equal by what they say`() {
        let failure = Self.failure()
        #expect(failure == failure)
        #expect(failure == Self.failure())
        #expect(failure != Self.failure(.cancelled))
        #expect(failure != Self.failure(.timedOut, .environment))
        #expect(failure != Self.failure(.timedOut, .peer, "Else."))
        #expect(failure != Self.failure(url: nil))
        #expect(failure != failure.withoutResume)
    }

    @Test func `a failure tells people everything`() {
        #expect(Self.failure().description == "timedOut, blame peer: Too late. <http://h/a> (resumable at 7)")
        #expect(Self.failure(url: nil, resume: nil).description == "timedOut, blame peer: Too late.")
    }
}
