import Foundation
import Testing

@testable import ScenarioFormat

@Suite("Key table")
struct KeyTableTests {
    @Test("the decoder asks for exactly the keys of the table")
    func sameKeys() throws {
        var asked: [KeyContext: Set<String>] = [:]
        let folder = Goldens.folder.appendingPathComponent("Good").path
        for file in Goldens.files(in: "Good", ending: ".yaml") {
            let session = ScenarioReader.session(text: try Goldens.text("Good/" + file), file: file, folder: folder)
            _ = ScenarioReader.read(session, id: nil)
            asked.merge(session.asked) { $0.union($1) }
        }
        for context in KeyContext.allCases {
            let table = KeyTable.keys(of: context).map(\.name)
            #expect(Set(table) == asked[context] ?? [], "\(context)")
            #expect(Set(table).count == table.count, "a key twice in \(context)")
            #expect(!table.isEmpty, "\(context) has no keys")
        }
    }

    @Test("every key has a meaning on one line, and no planned key exists already")
    func meanings() {
        for context in KeyContext.allCases {
            for key in KeyTable.keys(of: context) {
                #expect(!key.meaning.isEmpty && !key.meaning.contains("\n"), "\(context).\(key.name)")
                #expect(!key.meaning.contains("|") && !key.kind.description.contains("|"))
                #expect(KeyTable.plannedKeys(of: context)[key.name] == nil)
            }
        }
    }

    @Test("the reference page is printed from the table")
    func reference() throws {
        let file = Goldens.package.appendingPathComponent("Documentation/SCENARIO-FORMAT.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(page.firstRange(of: KeyReference.beginning))
        let end = try #require(page.firstRange(of: KeyReference.end))
        let wanted =
            page[..<start.upperBound] + "\n\n" + KeyReference.markdown() + "\n\n" + page[end.lowerBound...]
        try Goldens.expect(String(wanted), matches: file)
    }

    @Test("the example of each kind of map has keys of that kind only", arguments: KeyContext.allCases)
    func examples(context: KeyContext) throws {
        for example in KeyTable.example(of: context).components(separatedBy: " or ") {
            let log = DiagnosticLog(source: SourceText(file: "example.yaml", text: example + "\n"))
            let parser = StrictParser(source: log.source, log: log)
            let entries = try #require(parser.parse()?.entries)
            // A task is a client step; the names of tasks are free.
            let contexts: [KeyContext] = context == .clientStep ? [.clientStep, .task] : [context]
            let known = Set(contexts.flatMap { KeyTable.keys(of: $0).map(\.name) }).union(
                context == .expectation ? ["t"] : [])
            #expect(Set(entries.map(\.key)).isSubset(of: known) && log.diagnostics.isEmpty)
        }
    }

    @Test(
        "a key that stands too far outside, or another word for one, gets its place",
        arguments: [
            (KeyContext.exchange, "status", "write it under 'reply'"),
            (.exchange, "body", "write it under 'where' or 'reply'"),
            (.reply, "at", "write it under 'fault' or 'faults'"), (.task, "url", "write request: POST /path"),
            (.fault, "delay", "write it under 'do'"),
            (.scenario, "timeoutIntervalForRequest", "write it under 'session'"),
        ])
    func places(context: KeyContext, word: String, remedy: String) {
        #expect(KeyTable.remedy(for: word, in: context) == remedy)
        #expect(KeyTable.remedy(for: "frobnicate", in: context) == nil)
    }
}
