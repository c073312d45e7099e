import ServerScript
import Testing

@testable import ScriptedServer

@Suite struct RequestRuleStateTests {
    private func match(_ rules: RequestRule...) -> RequestMatch {
        rules.reduce(into: RequestMatch()) { $1.apply(&$0) }
    }

    @Test func `the state is demanded as it is in a file`() {
        #expect(
            match(
                .state("a", "1"), .state("b", .present), .state("c", .none), .count("d", 2), .count("e", atMost: 3),
                .count("f", atLeast: 4)
            ).state == [
                StateRule("a", .equals(StateName("1"))), StateRule("b", .present), StateRule("c", .none),
                StateRule("d", .count(2...2)), StateRule("e", .count(0...3)), StateRule("f", .count(4...Int.max)),
            ])
    }

    @Test func `a request is known by its place and its version`() {
        let place = match(.connection(2), .exchange(3), .version(.http10))
        #expect(place.connection == 2 && place.exchange == 3 && place.minorVersion == 0)
        #expect(match(.version(.http11)).minorVersion == 1)
    }
}
