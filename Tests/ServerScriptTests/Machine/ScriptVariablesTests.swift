import Testing

@testable import ServerScript

@Suite struct ScriptVariablesTests {
    @Test func `what clients choose is bounded, and what is forgotten makes room`() {
        var variables = ScriptVariables()
        let value = String(repeating: "v", count: ScriptVariables.valueLimit)
        var kept = 0
        while variables.set("name-\(kept)", value), kept < 1000 { kept += 1 }
        #expect((200..<256).contains(kept))
        let sets = [("more", value), ("name-0", "short"), ("name-1", ""), ("more", value), ("x", value + "v")]
        let areKept = sets.map { variables.set($0, $1) }
        #expect(areKept == [false, true, true, true, false])
        #expect(variables.value("name-0") == "short" && variables.value("name-1") == nil)
        #expect(variables.value("more") == value && variables.value("x") == nil)
    }

    @Test func `counters share the room, and go on where there is none`() {
        var variables = ScriptVariables()
        let name = String(repeating: "n", count: 4000)
        var kept = 0
        while variables.increment("\(name)\(kept)"), kept < 1000 { kept += 1 }
        #expect((200..<280).contains(kept))
        let areKept = ["0", "new"].map { variables.increment(name + $0) }
        #expect(areKept == [true, false])
        #expect(variables.count(name + "0") == 2 && variables.count(name + "new") == 0)
    }
}
