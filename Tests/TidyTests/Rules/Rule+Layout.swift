/// Where things lie and how they are called.
extension Rule {
    private static let rootNames: Set = [
        "Package.swift", "Makefile", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Sources", "Tests",
        "scenarios", "certs", "Documentation", "Benchmarks",
        "Examples",
    ]

    static let topLevel = Rule(name: "top-level") { tree in
        // Hidden names are the business of tools and editors.
        tree.topLevel.filter { !rootNames.contains($0) && !$0.hasPrefix(".") }.map {
            Finding(
                path: $0, line: 1, message: "not a name of the top level: \(rootNames.sorted().joined(separator: " "))")
        }
    }

    private static let topicsPath = "scenarios/README.md"

    /// Each folder of `scenarios` has its line in the table of topics, and each line its folder.
    static let topics = Rule(name: "topics") { tree in
        guard let page = tree.file(topicsPath) else { return [] }
        let folders = Set(
            tree.files.filter { $0.path.hasPrefix("scenarios/") && $0.path != topicsPath }
                .map { String($0.path.split(separator: "/")[1]) })
        let lines = page.lines.enumerated().compactMap { offset, line in
            line.prefixMatch(of: /\| `([^`]+)` \|/).map { (topic: String($0.1), line: offset + 1) }
        }
        return lines.filter { !folders.contains($0.topic) }.map {
            Finding(path: topicsPath, line: $0.line, message: "there is no folder '\($0.topic)'")
        }
            + folders.subtracting(lines.map(\.topic)).sorted().map {
                Finding(path: topicsPath, line: 1, message: "the folder '\($0)' has no line here")
            }
    }

    /// `Origin.swift` declares `Origin`; `Origin+Text.swift` declares or extends it. A name in the plural may stand for
    /// several small declarations of equal rank.
    static let fileNames = Rule(name: "file-names") { tree in
        tree.files.filter { $0.isSource && $0.name != "main" && $0.name != $0.module }.compactMap { file in
            let type = String(file.name.prefix { $0 != "+" })
            let names = declaredNames(file.tokens.code)
            let isCollective = type.hasSuffix("s") && (names.count > 1 || !file.tokens.occurrences(of: ["let"]).isEmpty)
            guard !names.contains(type), !isCollective else { return nil }
            return Finding(
                path: file.path, line: 1,
                message: "nothing called \(type) is declared or extended here; name the file after its main type")
        }
    }

    private static func declaredNames(_ code: [SwiftTokens.Piece]) -> Set<String> {
        let keywords: Set = ["struct", "class", "enum", "actor", "protocol", "typealias", "extension"]
        var names: Set<String> = []
        for index in code.indices.dropLast() where keywords.contains(code[index].text) {
            var next = index + 1
            names.insert(code[next].text)
            // extension Outer.Inner
            while next + 2 < code.count, code[next + 1].text == "." {
                next += 2
                names.insert(code[next].text)
            }
        }
        return names
    }

    /// `Tests/XTests/A/FooTests.swift` tests `Sources/X/A/Foo.swift`, or the type `Foo` in a file of that folder;
    /// `FooEdgeTests` or `Foo+EdgeTests` may stand beside it.
    static let testMirror = Rule(name: "test-mirror") { tree in
        var subjects: Set<String> = []
        for file in tree.files where file.isSource {
            let path = "\(file.module)/\(file.pathInModule)"
            subjects.insert(path)
            let folder = path.dropLast(file.name.count)
            subjects.formUnion(declaredNames(file.tokens.code).map { folder + $0 })
        }
        let modules = Set(tree.files.filter(\.isSource).map(\.module))
        let support = Set(tree.files.filter { $0.module == "TestSupport" }.map { $0.name + "Tests" })
        return tree.files.filter { $0.isTest && $0.name.hasSuffix("Tests") }.compactMap { file in
            let module = String(file.module.dropLast("Tests".count))
            guard file.module.hasSuffix("Tests"), modules.contains(module), !support.contains(file.name) else {
                return nil
            }
            let path = "\(module)/\(file.pathInModule.dropLast("Tests".count))"
            guard !subjects.contains(where: { mirrors(path, $0) }) else { return nil }
            return Finding(
                path: file.path, line: 1,
                message: "no source file for it: a test of Sources/X/A/Foo.swift is Tests/XTests/A/FooTests.swift")
        }
    }

    /// Whether a test's path is a source's, perhaps with one more word or aspect at its end.
    private static func mirrors(_ test: String, _ source: String) -> Bool {
        guard test.hasPrefix(source) else { return false }
        let rest = test.dropFirst(source.count)
        return rest.isEmpty || rest.first == "+" || rest.first?.isUppercase == true
    }

    /// Modules whose tests open sockets.
    private static let socketTests: Set = [
        "ClientEngineTests", "ScriptedServerTests", "SessionNetworkingTests", "ServingTests", "HarnessTests",
        "DocumentationTests",
    ]

    static let fixedPorts = Rule(name: "fixed-ports") { tree in
        tree.files.filter { $0.isTest && socketTests.contains($0.module) }.flatMap { file -> [Finding] in
            let code = file.tokens.code
            let hasSockets = ["NIOPosix", "ScriptedServer", "Glibc"].contains {
                !file.tokens.occurrences(of: ["import", $0]).isEmpty
            }
            let arguments = file.tokens.occurrences(of: ["port", ":"]).filter { start in
                hasSockets && start + 2 < code.count && (Int(code[start + 2].text) ?? 0) >= 1024
            }
            let literals = file.tokens.literals.filter { literal in
                ["127.0.0.1:", "localhost:"].contains { start in
                    literal.text.ranges(of: start).contains { literal.text[$0.upperBound...].first?.isNumber == true }
                }
            }
            return (arguments.map { code[$0].line } + literals.map(\.line)).map {
                Finding(path: file.path, line: $0, message: "a fixed port: bind port 0 and ask which one it became")
            }
        }
    }

    private static let waits = [
        [")", "async"], [".", "sync"], [".", "waitUntilAllOperationsAreFinished"], [".", "concurrentPerform"],
    ]

    /// What such a test waits for may never come.
    static let testEnds = Rule(name: "test-ends") { tree in
        tree.files.filter { $0.isTest && socketTests.contains($0.module) }.flatMap { file -> [Finding] in
            let code = file.tokens.code
            guard waits.contains(where: { !file.tokens.occurrences(of: $0).isEmpty }) else { return [] }
            let suites = file.tokens.occurrences(of: ["@Suite"]).filter { start in
                !code[start...].prefix { $0.text != "{" }.contains { $0.text == "endsInTime" }
            }
            return suites.map {
                Finding(path: file.path, line: code[$0].line, message: "a suite that waits: @Suite(.endsInTime)")
            }
        }
    }

    /// Other machines do not have this machine's folders.
    static let machinePaths = Rule(name: "machine-paths") { tree in
        let roots = ["work", "root", "home", "farm"].map { "/\($0)/" }
        return tree.files.flatMap { file in
            file.lines.enumerated().compactMap { line in
                guard let found = roots.first(where: { isPath($0, in: line.element) }) else { return nil }
                return Finding(path: file.path, line: line.offset + 1, message: "a path of one machine: \(found)…")
            }
        }
    }

    /// At the start of a path, not in the middle of a URL or of a relative path.
    private static func isPath(_ root: String, in line: Substring) -> Bool {
        var rest = line
        while let range = rest.firstRange(of: root) {
            let before = range.lowerBound == rest.startIndex ? nil : rest[rest.index(before: range.lowerBound)]
            let continues = before.map { $0.isLetter || $0.isNumber || "._-/~$)}".contains($0) } ?? false
            if !continues { return true }
            rest = rest[range.upperBound...]
        }
        return false
    }
}
