import Testing

/// Every rule is shown something that breaks it, and something much like it that does not: a rule that cannot fail is
/// no rule.
struct PlantedViolationTests {
    struct Plant: Sendable, CustomTestStringConvertible {
        var rule: Rule
        var path: String
        var text: String
        /// Lines of the findings; empty where the text is in order.
        var lines: [Int]
        /// Files that must be there besides.
        var others: [SourceFile] = []

        var testDescription: String {
            "\(rule.name) \(lines.isEmpty ? "spares" : "finds") \(text.prefix(30).replacing("\n", with: " "))"
        }
    }

    @Test(
        "A rule finds what breaks it, and nothing else",
        arguments: imports + sizes + bans + names + places + rows + numbers)
    func finds(_ plant: Plant) {
        let tree = SourceTree([SourceFile(plant.path, plant.text)] + plant.others, topLevel: ["Sources"])
        let failures = plant.rule.findings(tree).filter { $0.weight == .failure }
        #expect(failures.map(\.line) == plant.lines)
    }

    @Test("No rule is left without a violation of its own")
    func complete() {
        let plants = Self.imports + Self.sizes + Self.bans + Self.names + Self.places + Self.rows + Self.numbers
        let shown = Set(plants.filter { !$0.lines.isEmpty }.map(\.rule.name))
        #expect(Set(Rule.all.map(\.name)).subtracting(shown) == ["top-level"])
        #expect(!Rule.topLevel.findings(SourceTree([], topLevel: ["Makefile", "scripts"])).isEmpty)
        #expect(Rule.topLevel.findings(SourceTree([], topLevel: ["Makefile", "certs"])).isEmpty)
    }

    private static let manifest = [
        SourceFile(
            Manifest.path,
            """
            let yams = Target.Dependency.product(name: "Yams", package: "Yams")
            targets: [
                library("A", []),
                library("B", ["A"]),
                library("C", []),
                // library("D", ["A"]),
                .target(name: "E", dependencies: [yams, "F"], path: "Tests/Odd"),
                .executableTarget(name: "F", dependencies: []),
            ]
            """)
    ]

    private static let machine = "Sources/ClientMachines/Task/Foo.swift"
    private static let library = "Sources/SessionNetworking/Tasks/Foo.swift"

    static let imports: [Plant] = [
        Plant(rule: .imports, path: machine, text: "import HTTPBasics\nimport Foundation", lines: [2]),
        Plant(rule: .imports, path: machine, text: "@testable import SessionNetworking", lines: [1]),
        Plant(rule: .imports, path: machine, text: "import struct Foundation.Data", lines: [1]),
        Plant(rule: .imports, path: machine, text: "// import Foundation\nimport NIOCore", lines: []),
        Plant(rule: .imports, path: "Sources/ServerScript/A.swift", text: "import ClientMachines", lines: [1]),
        Plant(
            rule: .imports, path: "Sources/SessionNetworking/A.swift", text: "import FoundationNetworking", lines: [1]),
        Plant(rule: .imports, path: "Sources/Unheard/A.swift", text: "", lines: [1]),
        Plant(rule: .dependencies, path: "Sources/B/A.swift", text: "import A\nimport C", lines: [2], others: manifest),
        Plant(rule: .dependencies, path: "Sources/A/A.swift", text: "import Foundation", lines: [], others: manifest),
        Plant(rule: .dependencies, path: "Tests/Odd/A.swift", text: "import CYaml", lines: [], others: manifest),
        Plant(rule: .dependencies, path: "Sources/B/A.swift", text: "// import A", lines: [4], others: manifest),
        Plant(rule: .byteBufferOnly, path: machine, text: "import NIOCore\nlet a: EventLoop", lines: [2]),
        Plant(rule: .byteBufferOnly, path: machine, text: "let a: NIODeadline", lines: [1]),
        Plant(rule: .byteBufferOnly, path: machine, text: "import NIOCore\nlet a: ByteBuffer", lines: []),
        Plant(rule: .byteBufferOnly, path: "Sources/ClientEngine/A.swift", text: "let a: EventLoop", lines: []),
        Plant(rule: .publicInterface, path: library, text: "let a: ByteBuffer\npublic var b: ByteBuffer", lines: [2]),
    ]

    private static let lockTable = SourceFile(Rule.concurrencyPath, "| `A.a` | what | nothing |")

    private static func function(lines: Int) -> String {
        "struct A {\n    func f() -> Int {\n" + String(repeating: "\n", count: lines - 2) + "    }\n}\n"
    }

    static let sizes: [Plant] = [
        Plant(rule: .fileSize, path: machine, text: String(repeating: "\n", count: 501), lines: [1]),
        Plant(rule: .fileSize, path: machine, text: String(repeating: "\n", count: 500), lines: []),
        Plant(rule: .functionSize, path: machine, text: function(lines: 71), lines: [2]),
        Plant(rule: .functionSize, path: machine, text: function(lines: 70), lines: []),
        Plant(
            rule: .functionSize, path: machine,
            text: "init?(a: [Int] = []) {" + String(repeating: "\n", count: 70) + "}", lines: [1]),
        Plant(
            rule: .functionSize, path: machine,
            text: "var a: Int {" + String(repeating: "\n", count: 70) + "}", lines: [1]),
        Plant(
            rule: .functionSize, path: machine,
            text: "protocol A {\n func f()\n var g: Int { get }\n}\nstruct B {" + String(repeating: "\n", count: 70)
                + "}",
            lines: []),
        Plant(rule: .columns, path: machine, text: "\n" + String(repeating: "x", count: 121), lines: [2]),
        Plant(rule: .columns, path: machine, text: String(repeating: "ü", count: 120), lines: []),
        Plant(rule: .columns, path: machine, text: String(repeating: "x", count: 120) + ",", lines: []),
        Plant(
            rule: .columns, path: machine, text: "\"\"\"\n" + String(repeating: "x", count: 121) + "\n\"\"\"", lines: []
        ),
        Plant(rule: .columns, path: machine, text: "// " + String(repeating: "x", count: 118), lines: [1]),
        Plant(rule: .columns, path: "scenarios/a/b.yaml", text: String(repeating: "x", count: 140), lines: []),
        Plant(rule: .columns, path: "scenarios/a/b.yaml", text: String(repeating: "x", count: 141), lines: [1]),
    ]

    /// Each banned word in a file that it concerns; the word itself is the violation.
    private static let bannedOneByOne: [Plant] = Rule.bans.map { ban in
        let path =
            switch ban.scope {
            case .pure, .sources: machine
            case .library: library
            case .tests: "Tests/ClientMachinesTests/FooTests.swift"
            }
        let code = ban.words.joined(separator: " ")
        return Plant(rule: .bannedWords, path: path, text: "// \(code)\nlet s = \"\(code)\"\n\(code)", lines: [3])
    }

    static let bans: [Plant] =
        bannedOneByOne + [
            Plant(rule: .bannedWords, path: "Sources/MachineContract/Blame.swift", text: "fatalError()", lines: []),
            Plant(
                rule: .bannedWords, path: "Sources/SessionNetworking/Delegates/A.swift", text: "d.urlSession(s)",
                lines: []),
            Plant(rule: .bannedWords, path: machine, text: "func urlSession(s: Int) { try? f() as? Int }", lines: []),
            Plant(
                rule: .bannedWords, path: library, text: "URLSession.Task(a)\nDataTask(b)\nlet c = Task.self",
                lines: [1]),
            Plant(
                rule: .bannedWords, path: "Tests/ClientMachinesTests/FooTests.swift",
                text: "func sleep()\nplay.sleep(1)",
                lines: []),
            Plant(rule: .openEnds, path: machine, text: "// TODO later\nlet a = \"TODO\"", lines: [1]),
            Plant(rule: .openEnds, path: "Tests/ATests/Placeholder.swift", text: "", lines: [1]),
            Plant(rule: .safetyComments, path: machine, text: "final class A: @unchecked Sendable {}", lines: [1]),
            Plant(rule: .safetyComments, path: machine, text: "nonisolated(unsafe) var a = 1", lines: [1]),
            Plant(
                rule: .safetyComments, path: machine,
                text: "@available(*, unavailable)\nextension A: @unchecked Sendable {}", lines: []),
            Plant(
                rule: .safetyComments, path: machine,
                text: "// Safety: one thread.\n\n\nfinal class A: @unchecked Sendable {}", lines: []),
            Plant(
                rule: .safetyComments, path: machine,
                text: "// Safety: one thread.\n\n\n\nfinal class A: @unchecked Sendable {}", lines: [5]),
        ]

    private static let foo = SourceFile(machine, "struct Foo {}")

    static let names: [Plant] = [
        Plant(rule: .fileNames, path: machine, text: "struct Bar {}", lines: [1]),
        Plant(rule: .fileNames, path: machine, text: "struct Foo {}", lines: []),
        Plant(rule: .fileNames, path: "Sources/HTTPBasics/Bars.swift", text: "struct A {}\nstruct B {}", lines: []),
        Plant(rule: .fileNames, path: "Sources/HTTPBasics/Bars.swift", text: "struct A {}", lines: [1]),
        Plant(rule: .fileNames, path: "Sources/HTTPBasics/Foo+Text.swift", text: "extension A.Foo {}", lines: []),
        Plant(rule: .fileNames, path: "Sources/HTTPBasics/Foo+Text.swift", text: "extension FooText {}", lines: [1]),
        Plant(rule: .names, path: library, text: "enum A {}\nclass Foo {}", lines: [2], others: [foo]),
        Plant(rule: .names, path: library, text: "extension A {\nenum Foo {}\n}", lines: [2], others: [foo]),
        Plant(rule: .names, path: library, text: "enum A { enum Kind {} }\nstruct B { enum Kind {} }", lines: []),
        Plant(rule: .names, path: library, text: "enum A { enum Kind {} }\nstruct Kind {}", lines: [2]),
        Plant(
            rule: .names, path: library, text: "private enum Foo {}\nfunc f() { class Foo {} }", lines: [],
            others: [foo]),
        Plant(rule: .names, path: library, text: "private enum A { enum Foo {} }", lines: [], others: [foo]),
        Plant(rule: .names, path: library, text: "extension Foo {}\ntypealias Foo = A.Foo", lines: [], others: [foo]),
        Plant(
            rule: .testMirror, path: "Tests/ClientMachinesTests/FooTests.swift", text: "", lines: [1], others: [foo]),
        Plant(
            rule: .testMirror, path: "Tests/ClientMachinesTests/DoubleTests.swift", text: "", lines: [],
            others: [foo, SourceFile("Tests/TestSupport/Double.swift", "")]),
        Plant(
            rule: .testMirror, path: "Tests/ClientMachinesTests/Task/FooTests.swift", text: "", lines: [],
            others: [foo]),
        Plant(
            rule: .testMirror, path: "Tests/ClientMachinesTests/Task/FooEdgeTests.swift", text: "", lines: [],
            others: [foo]),
        Plant(
            rule: .testMirror, path: "Tests/ClientMachinesTests/Task/InnerTests.swift", text: "", lines: [],
            others: [SourceFile(machine, "struct Foo {}\nstruct Inner {}")]),
        Plant(
            rule: .testMirror, path: "Tests/ClientMachinesTests/Task/FooterTests.swift", text: "", lines: [1],
            others: [foo]),
    ]

    private static let socketTest = "Tests/ClientEngineTests/FooTests.swift"

    static let places: [Plant] = [
        Plant(
            rule: .fixedPorts, path: socketTest,
            text: "import NIOPosix\nbind(port: 8080)\nbind(port: 0)\nOrigin(port: 80)",
            lines: [2]),
        Plant(rule: .fixedPorts, path: socketTest, text: "URL(\"http://localhost:8080/\")", lines: [1]),
        Plant(rule: .fixedPorts, path: socketTest, text: "URL(\"http://localhost:\\(port)/\")", lines: []),
        Plant(rule: .testEnds, path: socketTest, text: "@Suite struct A {\nfunc a() async {}\n}", lines: [1]),
        Plant(rule: .testEnds, path: socketTest, text: "@Suite struct A {\nfunc a() {}\n}", lines: []),
        Plant(
            rule: .testEnds, path: socketTest, text: "@Suite(.endsInTime) struct A {\nfunc a() async {}\n}", lines: []),
        Plant(
            rule: .testEnds, path: socketTest,
            text: "@Suite(.endsInTime) struct A {\nfunc a() async {}\n}\n@Suite(\"B\") final class B {}", lines: [4]),
        Plant(rule: .testEnds, path: socketTest, text: "@Suite struct A {\nfunc a() { q.sync {} }\n}", lines: [1]),
        Plant(rule: .machinePaths, path: "README.md", text: "a\ncd /home" + "/me/x", lines: [2]),
        Plant(rule: .machinePaths, path: "README.md", text: "GET http://a.test/home" + "/me", lines: []),
    ]

    private static let version = SourceFile(Rule.versionPath, "enum LibraryVersion {\n static let text = \"0.2.0\"\n}")

    private static let table = SourceFile(Rule.behaviourPath, "### 1.D2 Idle\n\n| 2.I17 | text |\n| row | text |\n")

    static let rows: [Plant] = [
        Plant(
            rule: .citations, path: machine, text: "// BEHAVIOUR 2.I17, 1.D2.\n// 2.I18", lines: [2], others: [table]),
        Plant(rule: .citations, path: machine, text: "// BEHAVIOUR I17", lines: [1], others: [table]),
        Plant(rule: .citations, path: machine, text: "// BEHAVIOUR 2, A.2", lines: [1], others: [table]),
        Plant(
            rule: .citations, path: machine, text: "// Swift 6.2, RFC 9110 15.4\nlet a = \"1.X9\"", lines: [],
            others: [table]),
        Plant(
            rule: .citations, path: "scenarios/a/b.yaml", text: "x: 1\nrows: [2.I17, 2.I99]", lines: [2],
            others: [table]),
        Plant(
            rule: .topics, path: "scenarios/README.md", text: "\n| `a` | x |\n| `b` | x |", lines: [3, 1],
            others: [SourceFile("scenarios/a/x.yaml", ""), SourceFile("scenarios/c/x.yaml", "")]),
        Plant(rule: .citations, path: "Documentation/A.md", text: "see 1.D3", lines: [1], others: [table]),
        Plant(
            rule: .formatSections, path: machine,
            text: "// SCENARIO-FORMAT 'Styles', 'Stiles'.\n// SCENARIO-FORMAT 'Stiles'\n// decision 9\n// decisions 9",
            lines: [2, 3], others: [SourceFile(Rule.formatPath, "## Styles")]),
        Plant(rule: .rowIdentity, path: Rule.behaviourPath, text: "| 1.A1 | x |\n| 1.A1 | y |", lines: [2]),
        Plant(
            rule: .observations, path: Rule.behaviourPath, text: "| 1.A1 | x | observed on Linux |\n| 1.A2 | y |",
            lines: [1]),
        Plant(
            rule: .observations, path: Rule.behaviourPath, text: "| 1.A1 | x | observed on Linux |", lines: [],
            others: [SourceFile("Tests/ParityTests/AParity.swift", "// BEHAVIOUR 1.A1")]),
        Plant(rule: .rowIdentity, path: Rule.behaviourPath, text: "| 1.A1 | x |\n| 1.A2 | see 1.A1 |", lines: []),
        Plant(
            rule: .version, path: Rule.changelogPath, text: "# Changelog\n\n## 0.1.0\n\n## 0.2.0", lines: [3],
            others: [version]),
        Plant(rule: .version, path: Rule.changelogPath, text: "## Unreleased\n### A", lines: [1], others: [version]),
        Plant(
            rule: .version, path: Rule.changelogPath, text: "## Unreleased\n## 0.2.0\n## 0.1.0", lines: [],
            others: [version]),
        Plant(rule: .locks, path: library, text: "class A {\n let b = Lock(0)\n}", lines: [2], others: [lockTable]),
        Plant(rule: .locks, path: library, text: "class A { let a: Lock<Int> }", lines: [], others: [lockTable]),
        Plant(rule: .locks, path: "Sources/Harness/A.swift", text: "class A { let b = Lock(0) }", lines: []),
    ]

    static let numbers: [Plant] = [
        // A Content-Length as the library once read it, which ended the process in a sum far away.
        Plant(
            rule: .foreignNumbers, path: machine,
            text: """
                func number(_ digits: [UInt8]) -> Int64? {
                    var number: Int64 = 0
                    for byte in digits { number = number * 10 + Int64(byte) }
                    return number
                }
                """,
            lines: [3]),
        Plant(rule: .foreignNumbers, path: machine, text: "let digit = byte &- 48", lines: [1]),
        Plant(rule: .foreignNumbers, path: machine, text: "guard let length = Int(text) else { return }", lines: [1]),
        Plant(rule: .foreignNumbers, path: machine, text: "if a, let length = Int64(value) {}", lines: [1]),
        Plant(rule: .foreignNumbers, path: machine, text: "let length = Int(f(text)) ?? 0", lines: [1]),
        Plant(rule: .foreignNumbers, path: machine, text: "let length = isThere ? Int(text) : nil", lines: [1]),
        Plant(rule: .foreignNumbers, path: machine, text: "let all = list.compactMap { Int($0) }", lines: [1]),
        Plant(rule: .foreignNumbers, path: machine, text: "let length = text.flatMap(Int.init)", lines: [1]),
        Plant(rule: .foreignNumbers, path: machine, text: "let size = Int(line, radix: 16)", lines: [1]),
        Plant(rule: .foreignNumbers, path: machine, text: "let size = DecimalNumber.parse(line)", lines: [1]),
        // The sum itself, as it would have to be written with the type.
        Plant(rule: .foreignNumbers, path: library, text: "let a = sent.int64\n+ received.int64", lines: [1, 2]),
        Plant(rule: .foreignNumbers, path: library, text: "let a = length.transferSize", lines: [1]),
        Plant(
            rule: .foreignNumbers, path: "Sources/SessionNetworking/Tasks/DeclaredLength+TransferSize.swift",
            text: "a.int64\nb.int64", lines: [2]),
        Plant(
            rule: .foreignNumbers, path: "Sources/SessionNetworking/Tasks/DeclaredLength+TransferSize.swift", text: "",
            lines: [1]),
        Plant(
            rule: .foreignNumbers, path: machine,
            text: "let a = Int64(bytes.readableBytes)\nlet b = Int(exactly: c) ?? 0\nlet d = e - 4\nlet int64 = 1",
            lines: []),
        Plant(rule: .foreignNumbers, path: "Sources/Harness/A.swift", text: "let a = Int(text) ?? 0", lines: []),
    ]
}
