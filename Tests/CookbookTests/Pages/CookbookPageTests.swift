import Foundation
import TestSupport
import Testing

@testable import Cookbook

@Suite("Documentation/COOKBOOK.md")
struct CookbookPageTests {
    @Test("The page is what the tables say")
    func committed() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appendingPathComponent("Documentation/COOKBOOK.md")
        let wanted = CookbookPage.markdown
        if ProcessInfo.processInfo.environment[Goldens.updateVariable] == "1" {
            try wanted.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == wanted, "make golden writes it anew")
    }

    @Test("Every recipe and every word of a fault is on it")
    func whole() {
        for recipe in Recipe.chapters.flatMap(\.recipes) {
            #expect(CookbookPage.markdown.contains("\(recipe.pattern)`"))
        }
        for word in FaultWord.all { #expect(CookbookPage.markdown.contains("`\(word.form)`")) }
    }
}
