import Cookbook
import ScenarioFormat
import ServerScript
import Testing

@testable import Serving

@Suite("Cases for any client")
struct CaseCatalogueTests {
    private func obstacle(_ change: (inout ScenarioCase, inout Scenario) -> Void) -> String? {
        let step = Step(.exchange(Exchange(RequestMatch("GET", "/a"), reply: Reply())), host: "a.test")
        var scenarioCase = ScenarioCase(
            script: Script(steps: [step]), expect: Expectation(), differences: [],
            mark: SourceMark(file: "a.yaml", line: 1, column: 1))
        var scenario = Scenario(id: "topic/a", file: "a.yaml", about: "A sentence.")
        change(&scenarioCase, &scenario)
        scenario.cases = [scenarioCase]
        let cases = CaseCatalogue.cases(of: [scenario], host: "b.test", tls: nil)
        #expect(cases.map(\.id) == ["topic/a"])
        if cases[0].obstacle == nil {
            #expect(cases[0].script.hosts == ["b.test"] && cases[0].script.steps[0].host == nil)
        }
        return cases[0].obstacle
    }

    @Test("What needs requests alone, any client can play")
    func playable() { #expect(obstacle { _, _ in } == nil) }

    @Test("What needs more has its reason")
    func obstacles() {
        #expect(obstacle { $1.needs.worlds = [.simulated] } == "it is played in virtual time only")
        #expect(obstacle { played, _ in played.script.hosts = ["a.test", "b.test"] } == "it has several hosts")
        #expect(obstacle { played, _ in played.script.tls["a.test"] = HostTLS() }?.contains("TLS") == true)
        #expect(obstacle { played, _ in played.script.proxies["a.test"] = .http } == "it has a proxy")
        #expect(obstacle { played, _ in played.script.steps[0].times = 0 }?.contains("nothing to judge") == true)
        #expect(
            obstacle { played, _ in played.script.steps.append(Step(.accept(nil))) }?.contains("connections") == true)
        let listen = Fault(at: .listen, do: .reset)
        #expect(obstacle { played, _ in played.script.listenFaults["a.test"] = listen } == "its host cannot be reached")
        let absolute = Step(.exchange(Exchange(RequestMatch("GET", "*"))))
        #expect(obstacle { played, _ in played.script.steps = [absolute] } == "its requests are not for a path")
        let waits = Step(.exchange(Exchange(RequestMatch("GET", "/a"), reply: Reply(timeline: [.await("x")]))))
        #expect(obstacle { played, _ in played.script.steps = [waits] }?.contains("signals") == true)
    }
}
