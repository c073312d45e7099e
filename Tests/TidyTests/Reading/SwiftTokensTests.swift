import Testing

/// What the rules read is what was written.
struct SwiftTokensTests {
    @Test("Code, comments and strings are told apart")
    func kinds() {
        let tokens = SwiftTokens("let a = \"x // no\" // yes\n/* b /* c */ d */ try! f(@escaping g, #\"h\"i\"#)")
        #expect(tokens.code.map(\.text) == ["let", "a", "=", "try", "!", "f", "(", "@escaping", "g", ",", ")"])
        #expect(tokens.comments.map(\.text) == ["// yes", "/* b /* c */ d */"])
        #expect(tokens.literals.map(\.text) == ["\"x // no\"", "#\"h\"i\"#"])
        #expect(tokens.code.last?.line == 2)
    }

    @Test("A string may hold code with strings, escapes and line breaks")
    func strings() {
        let text = #"let a = "\(f("}") + "\"")" ; b"# + "\n\"\"\"\n one \"two\" \\(x)\n\"\"\" c"
        let tokens = SwiftTokens(text)
        #expect(tokens.code.map(\.text) == ["let", "a", "=", ";", "b", "c"])
        #expect(tokens.literals.count == 2)
        #expect(tokens.code.last?.line == 4)
    }

    @Test(
        "Text that ends in the middle of something is read to its end",
        arguments: ["\"a", "/* a", "\"\\(a", "`a", "#\"a\""])
    func broken(_ text: String) {
        let tokens = SwiftTokens(text)
        #expect(tokens.code.count + tokens.comments.count + tokens.literals.count >= 1)
    }
}
