import HTTPBasics
import TLSBasics
import Testing

@testable import TLSEngine

@Suite("Certificates: revocation")
struct RevocationCheckTests {
    let made: MadeChains

    init() throws { made = try MadeChains.shared.get() }

    private func problem(
        _ responses: [[UInt8]], _ demand: TrustEvaluation.RevocationDemand,
        _ change: (inout TrustEvaluation) -> Void = { _ in }
    ) -> TrustProblem? {
        var evaluation = made.evaluation()
        evaluation.responses = responses
        evaluation.revocation = demand
        change(&evaluation)
        return evaluation.outcome().problem
    }

    @Test("What was revoked is refused, whoever asks and whatever others say")
    func revoked() throws {
        let responses = [try made.response(.good), try made.response(.revoked), Array("no response".utf8)]
        for demand in [TrustEvaluation.RevocationDemand.none, .response, .list] {
            for order in [responses, responses.reversed()] {
                let problem = try #require(self.problem(order, demand))
                #expect(problem.reason == .revoked)
                #expect(problem.detail.hasPrefix("The certificate \"Server\" was revoked by its authority since "))
                #expect(problem.detail.contains("needs a new key and a new certificate"))
            }
        }
    }

    @Test("It comes with the server's certificates")
    func stapled() throws {
        let peer = PeerCertificates(chain: made.chain, stapledResponse: try made.response(.revoked))
        let store = TrustStore(anchors: [made.root.bytes])
        let evaluation = TrustEvaluation(peer, host: "example.com", store: store, date: made.now)
        #expect(evaluation.outcome().problem?.reason == .revoked)
        var later = evaluation
        later.date.seconds += 8 * 86_400
        #expect(later.outcome().problem == nil)
        var stranger = evaluation
        stranger.store = nil
        #expect(stranger.outcome().problem?.reason == .noAnchors)
        var other = evaluation
        other.host = "other.example"
        #expect(other.outcome().problem?.reason == .revoked)
        #expect(other.outcome().problem?.detail.contains("Also: ") == true)
    }

    @Test("An authority of the chain can be revoked, too; its anchor cannot")
    func authorities() throws {
        let response = try made.response(.revoked, about: made.intermediate, of: made.root, by: made.root)
        let problem = try #require(self.problem([response], .none))
        #expect(problem.reason == .revoked)
        #expect(problem.detail.hasPrefix("The certificate \"Intermediate\" was revoked"))
        #expect(self.problem([response], .none) { $0.anchors = [made.intermediate.bytes] } == nil)
    }

    @Test("Who requires a positive response gets one, or an explanation")
    func required() throws {
        #expect(problem([try made.response(.good)], .response) == nil)
        #expect(problem([Array("no response".utf8), try made.response(.good)], .response) == nil)
        let about = try made.response(.good, about: made.intermediate, of: made.root, by: made.root)
        for (responses, words) in [
            ([], "the server has brought no response along, and none is fetched. Have the server staple a current"),
            ([Array("no response".utf8)], "the response cannot be read"),
            ([try made.response(.unknown)], "the response says that the authority does not know the certificate"),
            ([about], "the response is about another certificate"),
        ] as [([[UInt8]], String)] {
            let problem = try #require(self.problem(responses, .response))
            #expect(problem.reason == .revocationUnknown)
            #expect(problem.detail.hasPrefix("Whether the certificate \"Server\" was revoked is not known: "))
            #expect(problem.detail.contains(words), "\(problem.detail)")
        }
    }

    @Test("A list is never there")
    func lists() throws {
        let problem = try #require(self.problem([try made.response(.good)], .list))
        #expect(problem.reason == .revocationUnknown)
        #expect(problem.detail.contains("lists of revoked certificates are not fetched. Ask for OCSP"))
    }

    /// BEHAVIOUR 2.B8-must-staple.
    @Test("A certificate that promises a response is trusted without one")
    func promised() throws {
        let promising = try made.maker.server(
            "Promising", by: made.intermediate, names: "DNS:example.com", ["tlsfeature=status_request"])
        let evaluation = made.evaluation([promising.bytes, made.intermediate.bytes])
        #expect(evaluation.outcome().problem == nil)
    }

    @Test("Nobody can speak for a certificate that is an anchor itself")
    func anchor() throws {
        let response = try made.response(.revoked)
        let isAnchor = { (evaluation: inout TrustEvaluation) in evaluation.anchors = [self.made.server.bytes] }
        #expect(problem([response], .none, isAnchor) == nil)
        #expect(problem([response], .response, isAnchor)?.detail.contains("it is trusted by itself") == true)
    }

    @Test("Only the first sixteen are looked at")
    func many() throws {
        let nothing = [[UInt8]](repeating: Array("no response".utf8), count: RevocationCheck.mostResponses)
        #expect(problem(nothing.dropLast() + [try made.response(.revoked)], .none)?.reason == .revoked)
        #expect(problem(nothing + [try made.response(.revoked)], .none) == nil)
    }
}
