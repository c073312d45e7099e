import Testing

@testable import ServerScript

@Suite struct PathPatternTests {
    private func captures(_ pattern: String, _ target: String, anyQuery: Bool = false) throws -> [String]? {
        try #require(PathPattern(pattern)).captures(in: target, anyQuery: anyQuery)?.map { "\($0.name)=\($0.value)" }
    }

    @Test("A capture stands for a segment or a part of one, the last one with a star for the rest")
    func matching() throws {
        #expect(try captures("/items/{id}", "/items/7") == ["id=7"])
        #expect(try captures("/items/{id}", "/items/a%20b+c") == ["id=a b+c"])
        for target in [
            "/items/", "/items", "/items/7/", "/items/7/x", "/item/7", "/items/7?x=1", "*", "http://a/items/7",
        ] {
            #expect(try captures("/items/{id}", target) == nil, "\(target)")
        }
        #expect(try captures("/items/{id}", "/items/7?x=1", anyQuery: true) == ["id=7"])
        #expect(try captures("/items/{id}?x=1", "/items/7?x=1") == ["id=7"])
        #expect(try captures("/{a}/x/{b}", "/1/x/2") == ["a=1", "b=2"])
        #expect(try captures("/f/{name}.json", "/f/a.json") == ["name=a"])
        #expect(try captures("/f/v{name}.json", "/f/v.json") == nil)
        #expect(try captures("/f/{rest*}", "/f/a/b/c") == ["rest=a/b/c"])
        #expect(try captures("/f/{rest*}", "/f/") == ["rest="])
        #expect(try captures("/f/{rest*}", "/f") == nil)
        #expect(try captures("/{rest*}", "/a/b") == ["rest=a/b"])
        #expect(try captures("/{a}/{rest*}", "/1/2/3") == ["a=1", "rest=2/3"])
    }

    @Test("Targets without captures are no patterns")
    func plain() {
        for target in ["/", "/a", "*", "/a*", "/a?b={c}", "$origin.b.test"] { #expect(PathPattern(target) == nil) }
        #expect(PathPattern("/{a}/{rest*}")?.names == ["a", "rest"])
    }

    @Test(
        "What is wrong with braces",
        arguments: [
            "/{}", "/a/{rest*}/", "/{a", "/a}", "/{a}{b}", "/{a*}/b", "/x{a*}", "/{1}", "/{a b}", "/{a}/{a}", "/{{a}}",
        ])
    func mistakes(target: String) {
        #expect(PathPattern.objection(to: target) != nil)
        #expect(PathPattern(target) == nil)
    }
}
