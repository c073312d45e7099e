import MachineContract
import Testing

@Suite struct ScriptedGSSAPITests {
    private func text(_ word: ScriptedGSSAPI.Word) -> String {
        if case .token(let bytes) = word { String(decoding: bytes, as: UTF8.self) } else { "\(word)" }
    }

    @Test func `it says its tokens, one after the other`() {
        let script = ScriptedGSSAPI(ticket: "ann", rounds: 2)
        var context = ScriptedGSSAPI.Context(script, host: "a.test", login: nil)
        #expect(text(context.next(nil)) == "user=ann; service=HTTP@a.test; round=1")
        #expect(text(context.next([0x78])) == "user=ann; service=HTTP@a.test; round=2; after=x")
        #expect(context.next([0x79]) == .complete)
    }

    @Test func `it knows its users`() {
        let script = ScriptedGSSAPI(users: ["ann": "s3cret"], refusals: ["x"])
        var nobody = ScriptedGSSAPI.Context(script, host: "a.test", login: nil)
        #expect(nobody.next(nil) == .refused)
        var wrong = ScriptedGSSAPI.Context(script, host: "a.test", login: ("ann", "other"))
        #expect(wrong.next(nil) == .refused)
        var right = ScriptedGSSAPI.Context(script, host: "a.test", login: ("ann", "s3cret"))
        #expect(text(right.next(nil)) == "user=ann; service=HTTP@a.test; round=1")
        #expect(right.next([0x78]) == .refused)
    }
}
