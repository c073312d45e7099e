import Testing

@testable import ServerScript

@Suite struct TemplateWordTests {
    @Test(
        "Words are told from other text",
        arguments: [
            ("request.method", TemplateWord.method, ""), ("request.path/x", .path, "/x"),
            ("request.target", .target, ""),
            ("request.query.page&", .query("page"), "&"), ("request.query.a.b", .query("a"), ".b"),
            ("request.headers.X-Trace-.", .field("X-Trace"), "-."), ("request.body", .body, ""),
            ("request.form.a_b", .form("a_b"), ""),
            ("request.json.a.0.b.", .json(["a", "0", "b"]), "."), ("path.id.", .capture("id"), "."),
            ("state.order-x", .state("order-x"), ""),
            ("count.tries times", .count("tries"), " times"), ("now", .now, ""), ("now.http", .httpDate, ""),
            ("now.seconds", .seconds, ""),
            ("now.", .now, "."), ("now.else", .now, ".else"), ("random.uuid", .uuid, ""),
            ("random.number!", .number, "!"),
        ])
    func words(text: String, word: TemplateWord, rest: String) throws {
        let found = try #require(TemplateWord.read(text.unicodeScalars[...]))
        #expect(found.word == word)
        #expect(String(text.unicodeScalars.dropFirst(found.count)) == rest)
        #expect(TemplateWord.read(word.text.unicodeScalars[...])?.word == word)
    }

    @Test(
        "Other texts are none",
        arguments: [
            "", "request", "request.", "request.query", "request.query.", "paths.a", "path", "random", "random.x",
            "1now", "requests.method", "é",
        ])
    func others(text: String) { #expect(TemplateWord.read(text.unicodeScalars[...]) == nil) }
}
