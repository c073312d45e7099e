import Testing

@testable import Cookbook

@Suite("The index of the cookbook")
struct IndexPageTests {
    @Test(arguments: [
        (nil, "text/plain; charset=utf-8"), ("*/*", "text/plain; charset=utf-8"),
        ("application/json", "application/json"),
        ("text/html,application/xhtml+xml,*/*;q=0.8", "text/html; charset=utf-8"),
        ("image/png", "text/plain; charset=utf-8"),
        ("text/plain, text/html", "text/plain; charset=utf-8"),
    ])
    func `it is HTML, text or JSON, by Accept`(accept: String?, type: String) {
        let asked = Asked("GET", "/", fields: accept.map { [("Accept", $0)] } ?? [])
        #expect(asked.field("Content-Type") == type)
        for word in FaultWord.all { #expect(asked.text.contains(word.form)) }
        for recipe in Recipe.chapters.flatMap(\.recipes) { #expect(asked.text.contains(recipe.pattern)) }
        if type == "application/json" { #expect(JSONSyntax.holds(asked.bytes)) }
    }

    @Test(arguments: [
        ("/get?a=1", "curl http://b/get?a=1"), ("-i '/a?b=c/d'", "curl -i 'http://b/a?b=c/d'"),
        ("-F file=@a/b /post", "curl -F file=@a/b http://b/post"),
        ("-H 'If-None-Match: \"x\"' /cache", "curl -H 'If-None-Match: \"x\"' http://b/cache"),
        ("-H 'Accept: image/svg+xml' /image", "curl -H 'Accept: image/svg+xml' http://b/image"),
    ])
    func `each example becomes a line for a shell`(example: String, line: String) {
        #expect(IndexPage.curl(example, base: "http://b") == line)
    }
}
