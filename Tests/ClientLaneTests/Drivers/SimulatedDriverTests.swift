import Judge
import JudgeTestSupport
import ScenarioFormat
import ServerScript
import Simulator
import Testing

@testable import ClientLane

@Suite("Playing in virtual time")
struct SimulatedDriverTests {
    private func play(
        _ scenarioCase: ScenarioCase, _ rules: [FaultRule] = [],
        _ adjust: @escaping (inout SimulationOptions) -> Void = { _ in }
    ) throws -> CaseObservation {
        var options = SimulatedDriver.Options(rules: rules)
        options.adjust = adjust
        return try SimulatedDriver.play(scenarioCase, style: .delegate, options: options).observation
    }

    @Test("A lane that waits for what never comes has an end all the same")
    func stands() throws {
        var waiting = Sample.get
        waiting.client.append(ClientStep(.signal("x"), when: [.signal("never")], mark: waiting.mark))
        let observation = try play(waiting)
        #expect(observation.wedge != nil)
        #expect(Invariants.breaches(in: observation) == [])
    }

    @Test("A script that waits for months is no circle")
    func waits() throws {
        var slow = Sample.get
        let reply = Reply(body: .text("ab"), timeline: [.bytes(1), .wait(.seconds(90 * 86_400))])
        slow.script.steps.append(Sample.exchange("GET", "/never", reply))
        #expect(try play(slow).isEndless == false)
    }

    @Test("The process has its limits when exploration or the scenario itself bends the answers")
    func limits() throws {
        let bend = try #require(Bend("0:0:code=201"))
        var bent = Sample.get
        bent.bends = [bend]
        #expect(try limits(Sample.get, []) == nil)
        #expect(try limits(Sample.get, [.bend(bend)]) == SimulatedDriver.limits)
        #expect(try limits(bent, []) == SimulatedDriver.limits)
    }

    private func limits(_ scenarioCase: ScenarioCase, _ rules: [FaultRule]) throws -> ProcessLimits? {
        var limits: ProcessLimits?
        _ = try play(scenarioCase, rules) { limits = $0.limits }
        return limits
    }

    @Test("Bends that change nothing of what the server sends are known afterwards")
    func idleBends() throws {
        let texts = ["0:0:code=201", "0:1:code=201", "7:0:code=404", "0:0:chunk.0=0", "0:0:flip=9999.0"]
        let bends = try texts.map { try #require(Bend($0)) }
        #expect(try play(Sample.get, bends.map(FaultRule.bend)).idleBends == Array(bends.dropFirst()))
        var bent = Sample.get
        bent.bends = bends
        #expect(try play(bent).idleBends == Array(bends.dropFirst()))
    }
}
