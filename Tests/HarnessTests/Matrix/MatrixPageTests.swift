import Foundation
import Judge
import JudgeTestSupport
import ScenarioFormat
import ServerScript
import Testing

@testable import Harness

@Suite("The table of scenarios and clients")
struct MatrixPageTests {
    private static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func scenario(_ id: String, _ differences: [KnownDifference]) -> Scenario {
        var scenarioCase = Make.scenarioCase()
        scenarioCase.differences = differences
        return Make.scenario(id, cases: [scenarioCase])
    }

    private func record(
        _ verdict: KnownDifference.Kind, _ styles: [Style] = Style.allCases, line: Int = 1
    ) -> KnownDifference {
        KnownDifference(
            client: .foundation, verdict: verdict, seen: ["x"], styles: styles, because: "So it is.",
            against: verdict == .broken ? Clause("RFC 9112 6.3: MUST close") : nil,
            mark: SourceMark(file: "t.yaml", line: line, column: 1))
    }

    @Test("Cases are counted by what becomes of them, and reasons are told once")
    func counts() {
        let page = MatrixPage.markdown([
            scenario("a/one", [record(.broken, [.delegate, .async])]), scenario("a/two", [record(.wedged)]),
            scenario("b/three", [record(.different, [.async])]), scenario("b/four", []),
        ])
        #expect(page.contains("| [a/one](../scenarios/a/one.yaml) | 3 conform | 1 conform, 2 broken | [1](#1) |"))
        #expect(page.contains("| [a/two](../scenarios/a/two.yaml) | 3 conform | 3 wedged | [2](#2) |"))
        #expect(
            page.contains("| [b/three](../scenarios/b/three.yaml) | 3 conform | 2 conform, 1 different | [2](#2) |"))
        #expect(page.contains("| [b/four](../scenarios/b/four.yaml) | 3 conform | 3 conform |  |"))
        #expect(page.contains("| <a id=\"1\"></a>1 | So it is. | RFC 9112 6.3: MUST close | 2 |"))
        #expect(page.contains("| <a id=\"2\"></a>2 | So it is. |  | 4 |"))
        #expect(page.contains("## a\n") && page.contains("## b\n"))
    }

    @Test("A record of what is never played is idle")
    func idle() {
        var onlyVirtual = scenario("a/one", [record(.broken, line: 7)])
        onlyVirtual.needs.worlds = [.simulated]
        let used = scenario("a/two", [record(.broken, line: 8)])
        #expect(MatrixPage([onlyVirtual, used]).idle.map(\.mark.line) == [7])
    }

    @Test("Documentation/MATRIX.md is what the scenario files say, and each of their records is about something")
    func committed() throws {
        let scenarios = try ScenarioLoading.load(
            root: Self.root.appendingPathComponent("scenarios").path, patterns: []
        ).scenarios
        #expect(MatrixPage(scenarios).idle == [])
        let file = Self.root.appendingPathComponent("Documentation/MATRIX.md")
        let wanted = MatrixPage.markdown(scenarios)
        if ProcessInfo.processInfo.environment["UNDERSTUDY_UPDATE_GOLDENS"] != nil {
            try wanted.write(to: file, atomically: true, encoding: .utf8)
        }
        let committed = try String(contentsOf: file, encoding: .utf8)
        #expect(committed == wanted, "make matrix writes it anew")
    }

    @Test("README gives the numbers of MATRIX.md, and of played.txt")
    func evidence() throws {
        let readme = try text("README.md")
        let heading = try #require(
            text("Documentation/MATRIX.md").firstMatch(of: /Over sockets, foundation-networking: (.*)\./)?.1)
        let counts = Dictionary(
            uniqueKeysWithValues: heading.matches(of: /([0-9]+) ([a-z ]+)/).map { (String($0.2), Int($0.1) ?? 0) })
        let count = { (words: [String]) in words.reduce(0) { $0 + (counts[$1] ?? 0) } }
        let asked = count(["conform", "different", "broken", "crashed", "wedged", "flaky"])
        let played = try text("Tests/JudgeTests/Planning/played.txt").split(separator: "\n")
            .filter { !$0.hasPrefix("#") }.map { $0.split(separator: " ").dropFirst().compactMap { Int($0) } }
        let scenarios = played.count, cases = played.joined().reduce(0, +)
        for sentence in [
            "\(scenarios) scenarios make \(grouped(cases)) cases",
            "asked \(grouped(asked)) of these cases, over sockets: it passes \(grouped(count(["conform"])))",
            "in \(grouped(count(["different"]))) it does something else",
            "in \(count(["broken"])), ends the process in \(count(["crashed"])),",
            "wait for ever in \(count(["wedged"])), and changes its mind from run to run in \(count(["flaky"])) ",
        ] {
            #expect(readme.replacing("\n", with: " ").contains(sentence))
        }
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    }

    private func grouped(_ number: Int) -> String {
        number.formatted(.number.locale(Locale(identifier: "en_US")))
    }
}
