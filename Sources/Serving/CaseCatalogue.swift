import Cookbook
import HTTPBasics
import Judge
import ScenarioFormat
import ServerScript

/// The cases of scenarios as any client can play their server's half, and why it cannot play the others.
package enum CaseCatalogue {
    /// - Parameters:
    ///   - host: The server's first host, in whose place each case's own host comes.
    ///   - tls: How that is secured.
    ///   - isLenient: All of them are read leniently.
    package static func cases(
        of scenarios: [Scenario], host: String, tls: HostTLS?, isLenient: Bool = false
    ) -> [CookbookCase] {
        scenarios.flatMap { scenario in
            scenario.cases.map { scenarioCase in
                var obstacle = obstacle(scenario, scenarioCase)
                var script = Script()
                if obstacle == nil {
                    if let ready = moved(scenarioCase.script, to: host, tls).compressingBodies() {
                        script = ready
                    } else {
                        obstacle = "its bodies are too large to be compressed"
                    }
                }
                if isLenient { script.reading = .lenient }
                return CookbookCase(
                    scenario.id(of: scenarioCase), about: scenario.about, script: script, obstacle: obstacle,
                    unjudged: unjudged(scenarioCase.expect))
            }
        }
    }

    private static func unjudged(_ expectation: Expectation) -> [String] {
        var found: [String] = []
        if expectation.wire != nil { found.append("what 'wire:' demands of the requests, besides the steps") }
        if expectation.connections != nil { found.append("how many connections there are") }
        if !expectation.tasks.isEmpty { found.append("what the client's caller is told") }
        return found
    }

    private static func moved(_ script: Script, to host: String, _ tls: HostTLS?) -> Script {
        var script = script
        script.hosts = [host]
        script.tls = tls.map { [host: $0] } ?? [:]
        for index in script.steps.indices { script.steps[index].host = nil }
        for index in script.routes.indices { script.routes[index].host = nil }
        return script
    }

    /// Nil where a client needs nothing but requests.
    private static func obstacle(_ scenario: Scenario, _ scenarioCase: ScenarioCase) -> String? {
        let script = scenarioCase.script
        if scenario.needs.worlds == [.simulated] { return "it is played in virtual time only" }
        if let obstacle = CaseObstacle(scenarioCase) { return "it \(obstacle.reason)" }
        if script.hosts.count != 1 { return "it has several hosts" }
        if !script.tls.isEmpty { return "it is about TLS, which is agreed before a request names the case" }
        if !script.listenFaults.isEmpty { return "its host cannot be reached" }
        if !script.proxies.isEmpty { return "it has a proxy" }
        if !scenarioCase.names.isEmpty { return "its host's name has addresses of its own" }
        if scenarioCase.gssapi != nil { return "it needs the scenario's own GSSAPI" }
        if !script.waitsForClient.isEmpty { return "its server waits for signals of the client" }
        if script.steps.allSatisfy({ $0.times == 0 }) { return "its server has no steps, so there is nothing to judge" }
        for step in script.steps {
            guard case .exchange(let exchange) = step.action else {
                return "its steps speak of connections, which are there before a request names the case"
            }
            if let target = exchange.request.target, target.utf8.first != UInt8(ascii: "/") {
                return "its requests are not for a path"
            }
        }
        return nil
    }
}
