import JudgeTestSupport
import ScenarioFormat
import ServerScript
import Testing

@testable import Judge

@Suite("What a client has no means for")
struct ClientGapsTests {
    private func gap(_ task: TaskStep, _ style: Style, expecting words: [EventWord] = []) -> String? {
        var scenarioCase = Make.scenarioCase(nil, [.task(task)])
        scenarioCase.expect.tasks = [
            TaskExpectation(label: "t", events: words.map { Make.pattern($0) }, mark: Make.mark)
        ]
        #expect(ClientGaps.gap(of: .ours, scenarioCase, style: style) == nil)
        return ClientGaps.gap(of: .foundation, scenarioCase, style: style)
    }

    @Test("FoundationNetworking has no bytes and no async way to go on with a download")
    func methods() {
        var resumed = TaskStep(label: "t", kind: .download, target: "/")
        resumed.resumeData = "ticket"
        #expect(gap(TaskStep(label: "t", kind: .bytes, target: "/"), .async) == "has no bytes(for:)")
        #expect(gap(resumed, .async) == "has no method that continues a task")
        #expect(gap(resumed, .delegate) == nil)
        #expect(gap(TaskStep(label: "t", target: "/"), .async) == nil)
    }

    // BEHAVIOUR 2.G4
    @Test("FoundationNetworking tells no metrics, in no style", arguments: Style.allCases)
    func metrics(style: Style) {
        #expect(gap(TaskStep(label: "t", target: "/"), style, expecting: [.metrics, .complete]) != nil)
    }

    @Test("A method that its delegates lack is missing in the delegate style, where it would be seen")
    func delegateMethods() {
        for word in [EventWord.created, .informational] {
            #expect(gap(TaskStep(label: "t", target: "/"), .delegate, expecting: [word, .complete]) != nil)
            #expect(gap(TaskStep(label: "t", target: "/"), .completion, expecting: [word, .complete]) == nil)
        }
    }

    @Test(
        "Over TLS, FoundationNetworking lacks only the questions about certificates",
        arguments: [(nil, nil), (.basic, nil), (.serverTrust, "asks no delegate"), (.clientCertificate, "has no")]
            as [(ChallengeMethod?, String?)])
    func certificates(asked: ChallengeMethod?, lack: String?) {
        var steps = [ClientStep.Action.task(TaskStep(label: "t", target: "/"))]
        if let asked {
            var rule = AnswerRule(.challenge, .performDefaultHandling)
            rule.method = asked
            steps.insert(.answer(rule), at: 0)
        }
        var scenarioCase = Make.scenarioCase(nil, steps)
        scenarioCase.script.tls["a.test"] = HostTLS(.valid)
        let gap = ClientGaps.gap(of: .foundation, scenarioCase, style: .completion)
        #expect((gap == nil) == (lack == nil))
        #expect(gap?.hasPrefix(lack ?? "") != false)
    }
}
