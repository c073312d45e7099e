import Foundation
import HTTPBasics
import ServerScript
import Testing

@testable import ScenarioFormat

@Suite("Scenario printer")
struct ScenarioPrinterTests {
    @Test("show expands the cases", arguments: Goldens.files(in: "Good", ending: ".yaml"))
    func golden(file: String) throws {
        let folder = Goldens.folder.appendingPathComponent("Good").path
        let result = ScenarioReader.read(path: folder + "/" + file, root: folder)
        let scenario = try #require(result.scenario)
        let golden = Goldens.folder.appendingPathComponent("Shown/" + file.replacing(".yaml", with: ".txt"))
        try Goldens.expect(ScenarioPrinter.show(scenario), matches: golden)
    }

    @Test("a shown case reads back to the same page, and passwords are hidden")
    func readsBack() throws {
        let folder = Goldens.folder.appendingPathComponent("Good").path
        for file in Goldens.files(in: "Good", ending: ".yaml") {
            let result = ScenarioReader.read(path: folder + "/" + file, root: folder)
            let scenario = try #require(result.scenario)
            for item in scenario.cases {
                var single = scenario
                single.cases = [item]
                single.cases[0].name = nil
                let page = ScenarioPrinter.show(single)
                #expect(!page.contains("s3cret"))
                let again = ScenarioReader.read(text: page, file: file)
                #expect(again.diagnostics.map { $0.rendered() } == [])
                #expect(again.scenario.map(ScenarioPrinter.show) == page)
            }
        }
    }

    @Test("a case of the library that is shown, or written to be played, is the case of the file in every part")
    func sameValues() async throws {
        let root = Goldens.package.appendingPathComponent("scenarios").path
        let library = try #require(ScenarioLibrary(root: root))
        let different = await withTaskGroup(of: [String].self) { group in
            for entry in library.entries { group.addTask { changedCases(entry.path, root: root) } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(different == [])
    }

    /// The cases of a file that are others once they were shown or written.
    private func changedCases(_ path: String, root: String) -> [String] {
        guard let scenario = ScenarioReader.read(path: path, root: root).scenario else { return [path] }
        return scenario.cases.filter { item in
            var single = scenario
            single.cases = [item]
            single.cases[0].name = nil
            let shown = ScenarioPrinter.show(single), values = unmarked(single)
            // A hidden password is not the file's, and a long text is cut.
            let isWhole = !shown.contains("***") && !shown.contains(" bytes: ")
            return ([ScenarioPrinter.file(single)] + (isWhole ? [shown] : [])).contains { page in
                ScenarioReader.read(text: page, file: scenario.file).scenario.map(unmarked) != values
            }
        }.map { scenario.id(of: $0) }
    }

    /// The scenario in Swift's own words, without positions. A dictionary has no order of its own.
    private func unmarked(_ scenario: Scenario) -> String {
        var scenario = scenario
        let faults = scenario.cases.map(\.script.listenFaults).map { $0.sorted { $0.key < $1.key } }
        let tls = scenario.cases.map(\.script.tls).map { $0.sorted { $0.key < $1.key } }
        let proxies = scenario.cases.map(\.script.proxies).map { $0.sorted { $0.key < $1.key } }
        for index in scenario.cases.indices {
            scenario.cases[index].script.listenFaults = [:]
            scenario.cases[index].script.tls = [:]
            scenario.cases[index].script.proxies = [:]
        }
        return unplaced(String(reflecting: (scenario, faults, tls, proxies)))
    }

    /// Without what stands around each `.yaml:` of `path.yaml:line:column`.
    private func unplaced(_ text: String) -> String {
        let pieces = text.components(separatedBy: ".yaml:")
        return pieces.enumerated().map { index, piece in
            var rest = Substring(piece)
            if index > 0 { rest = rest.drop { $0.isNumber || $0 == ":" } }
            let isLast = index == pieces.count - 1
            return isLast ? rest : rest.lastIndex { " \"(".contains($0) }.map { rest[...$0] } ?? ""
        }
        .joined(separator: "somewhere")
    }

    @Test("hosts are shown in the order of the scenario, each with its own fault")
    func hosts() throws {
        let hosts = (0..<8).map {
            "{name: h\($0 * 5 % 8).test, fault: {at: listen, do: \($0 < 4 ? "reset" : "stall")}}"
        }
        let text = """
            scenario: a
            hosts: [\(hosts.joined(separator: ", "))]
            server: []
            client: [{task: t, request: /}, {await: t}]
            expect: {t: cannotConnectToHost}
            """
        let scenario = try #require(ScenarioReader.read(text: text, file: "a.yaml").scenario)
        let lines = ScenarioPrinter.show(scenario).split(separator: "\n").filter { $0.contains("listen") }
        #expect(lines.map { String($0.drop { " -".contains($0) }) } == hosts)
    }

    @Test("variables, cases and a matrix are expanded: each case stands for itself")
    func expanded() throws {
        let text = """
            scenario: a
            vars: {path: /hello, answered: [{complete: ok}]}
            cases: [{name: one, word: first}, {name: two, word: second}]
            matrix: {method: [GET, POST]}
            server: [{request: $method $path, reply: {body: $word}}]
            client: [{task: t, request: $method $path}, {await: t}]
            expect: {t: {events: [anything, any-of: [$answered]], body: $word}}
            """
        let scenario = try #require(ScenarioReader.read(text: text, file: "a.yaml").scenario)
        let page = ScenarioPrinter.show(scenario)
        #expect(!page.contains("$"))
        for (name, method, word) in [("one-GET", "GET", "first"), ("two-POST", "POST", "second")] {
            let part = try #require(page.split(separator: "\n# a/").first { $0.hasPrefix("\(name)\n") })
            #expect(part.contains("request: \(method) /hello") && part.contains("body: \"\(word)\""))
        }
    }

    @Test("a dollar sign is doubled where a variable could stand, and only there")
    func dollars() throws {
        let text = """
            about: 5$ and $x
            refs: [$$y]
            server:
              - {request: GET /, reply: {headers: {X$: "$$x $1 $origin $$originally"}, body: hi}}
            """
        let scenario = try #require(ScenarioReader.read(text: text, file: "a.yaml").scenario)
        let page = ScenarioPrinter.show(scenario)
        #expect(page.contains(#"about: "5$ and $x""#) && page.contains(#"refs: ["$$y"]"#))
        let again = try #require(ScenarioReader.read(text: page, file: "a.yaml").scenario)
        #expect(again.about == "5$ and $x")
        #expect(again.refs == ["$$y"])
        guard case .exchange(let exchange) = again.cases[0].script.steps[0].action else {
            Issue.record("no exchange")
            return
        }
        #expect(exchange.reply?.fields.list == [Fields.Field("X$", "$x $1 $origin $originally")])
    }

    @Test("Authorization values are hidden wherever they stand")
    func hidden() throws {
        let text = """
            server:
              - {request: GET /, where: {headers: {Authorization: Basic abc}}, reply: {headers: {authorization: x}}}
            client:
              - {task: t, request: GET /, headers: {Proxy-Authorization: y, X: z}}
            expect: {t: ok}
            """
        let scenario = try #require(ScenarioReader.read(text: text, file: "a.yaml").scenario)
        let page = ScenarioPrinter.show(scenario)
        #expect(page.contains(#"Authorization: "***""#) && page.contains(#"authorization: "***""#))
        #expect(page.contains(#"{Proxy-Authorization: "***", X: z}"#))
    }

    @Test("bytes in which the server would replace a word are never shown as text", arguments: ["$origin", "$$origin"])
    func bytesWithOrigin(word: String) throws {
        for (text, isText) in [(word, false), ("$orig", true)] {
            let bytes = (String(repeating: "x", count: 100) + text).utf8.map { String($0, radix: 16) }.joined()
            let file = "server: [{request: GET /, reply: {body: {hex: '\(bytes)'}}}]"
            let scenario = try #require(ScenarioReader.read(text: file, file: "a.yaml").scenario)
            #expect(ScenarioPrinter.show(scenario).contains("hex: ") != isText)
        }
    }
}
