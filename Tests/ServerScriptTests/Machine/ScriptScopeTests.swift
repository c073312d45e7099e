import Testing

@testable import ServerScript

@Suite struct ScriptScopeTests {
    @Test(
        "A path that begins with a scope is divided behind its name",
        arguments: [
            ("/scope:a/users?x=1", "a", "/users?x=1"), ("/scope:a", "a", "/"), ("/scope:a?x", "a", "/?x"),
            ("/scope:/x", "", "/x"), ("/scope:a//b", "a", "//b"),
        ])
    func divided(target: String, name: String, path: String) {
        let parts = ScopeName.divide(target)
        #expect(parts?.name == name && parts?.target == path)
    }

    @Test("Other paths are not", arguments: ["/", "/scope", "/x/scope:a", "*", "", "/Scope:a/b"])
    func whole(target: String) { #expect(ScopeName.divide(target) == nil) }

    @Test func names() {
        #expect(["a", "A-1_b.c~d", String(repeating: "x", count: 64)].allSatisfy(ScopeName.isGood))
        #expect(!["", "a/b", "a b", "ä", "a%20", String(repeating: "x", count: 65)].contains(where: ScopeName.isGood))
    }
}
