import HTTPBasics
import Testing

@testable import ServerScript

@Suite struct StateRuleTests {
    private func difference(_ rule: StateRule, _ variables: ScriptVariables) -> String? {
        let head = ReceivedHead(method: "GET", target: "/a", fields: Fields([.init("X-Api-Key", "s3cret")]))
        var source = TemplateSource(
            head: head, body: RecordedBody(prefix: [], count: 0, checksum: 0), variables: variables,
            date: UnixTime(seconds: 0), dice: Dice(seed: 0), place: 0)
        return rule.difference(from: variables, &source)
    }

    @Test func `a message has neither secrets of the state nor those of the request`() {
        var variables = ScriptVariables()
        _ = variables.set("token", "s3cret")
        _ = variables.set("order", "paid")
        #expect(
            difference(StateRule("order", .equals(StateName("open"))), variables)
                == #"state order: wanted "open", got "paid""#)
        #expect(
            difference(StateRule("token", .equals(StateName("other"))), variables)
                == "state token: wanted ***, got ***")
        #expect(
            difference(StateRule("calls-$request.headers.X-Api-Key", .count(1...1)), variables)
                == "count calls-$request.headers.X-Api-Key: wanted 1, got 0")
    }
}
