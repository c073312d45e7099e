import Foundation

/// A copy of the project, below `.build`, whose modules hold all mutants. It is kept: the next build is cheaper.
struct MutatedCopy {
    static let clientModules = [
        "BodyFiles", "ClientEngine", "ClientMachines", "HTTPBasics", "Inflate", "SessionNetworking",
    ]
    static let modules = clientModules + ["Judge", "ScriptedServer", "ServerScript"]
    /// Not played: what reads the project's texts or the fuzzers' inputs, what starts processes, and Foundation's
    /// URLSession.
    private static let unplayed = ["TidyTests", "FuzzTests", "ParityTestsFoundation", "understudyTests"]

    let folder: URL
    let mutants: [Mutant]
    /// What is copied, as it was at the beginning: the sources may change while the mutants are played.
    private let originals: [String: Data]
    /// Numbers of those that the compiler refuses.
    private(set) var refused: Set<Int>
    /// Their names: to find them takes a build for each handful.
    private let notes: URL

    init(of root: URL) throws {
        folder = root.appending(path: ".build/mutation/copy")
        var originals: [String: Data] = [:]
        let outside = Self.unplayed.map { "Tests/\($0)/" } + ["Tests/Mutation/"]
        for file in try Self.files(of: root) where !outside.contains(where: file.hasPrefix) {
            originals[file] = try? Data(contentsOf: root.appending(path: file))
        }
        originals["Package.resolved"] = try? Data(contentsOf: root.appending(path: "Package.resolved"))
        self.originals = originals

        var mutants: [Mutant] = []
        for path in originals.keys.sorted() where path.hasSuffix(".swift") {
            guard Self.modules.contains(where: { path.hasPrefix("Sources/\($0)/") }) else { continue }
            let source = String(decoding: originals[path] ?? Data(), as: UTF8.self)
            mutants += MutantFinder.mutants(of: source, in: String(path.dropFirst("Sources/".count)))
        }
        for index in mutants.indices { mutants[index].number = index + 1 }
        self.mutants = mutants
        notes = root.appending(path: ".build/mutation/refused.txt")
        let known = (try? String(contentsOf: notes, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
        let names = Set(known)
        refused = Set(mutants.filter { names.contains($0.name) }.map(\.number))
    }

    /// All that belongs to the project, committed or not.
    private static func files(of root: URL) throws -> [String] {
        let list = root.appending(path: ".build/mutation/files")
        try FileManager.default.createDirectory(
            at: list.deletingLastPathComponent(), withIntermediateDirectories: true)
        let words = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        guard try Run.command(words, in: root, output: list) == .exited(0) else {
            throw Complaint("git does not know \(root.path)")
        }
        return try String(contentsOf: list, encoding: .utf8).split(separator: "\0").map(String.init)
    }

    // MARK: Copying

    /// Writes the copy anew, except for what did not change: that need not be compiled again.
    private func write() throws {
        var texts = originals
        for file in Set(mutants.map(\.file)) { texts["Sources/\(file)"] = Data(schema(of: file).text.utf8) }
        for (path, text) in MutantSwitch.files(mutants: mutants.count) { texts[path] = Data(text.utf8) }
        texts["Package.swift"]?.append(Data(Self.manifestEnd.utf8))

        for tree in ["Sources", "Tests", "scenarios"] {
            let there = try? FileManager.default.subpathsOfDirectory(atPath: folder.appending(path: tree).path)
            for file in there ?? [] where texts["\(tree)/\(file)"] == nil {
                let path = folder.appending(path: "\(tree)/\(file)")
                if !path.isFolder { try FileManager.default.removeItem(at: path) }
            }
        }
        for (path, text) in texts {
            let file = folder.appending(path: path)
            if (try? Data(contentsOf: file)) == text { continue }
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file)
        }
    }

    /// Only what is played, and mutants make the compiler warn.
    private static let manifestEnd = """

        package.targets.removeAll { \((unplayed + ["understudy-reference", "fuzz", "soak"])).contains($0.name) }
        package.targets.append(.target(name: "\(MutantSwitch.module)"))
        for target in package.targets {
            target.swiftSettings = nil
            if \(modules).contains(target.name) { target.dependencies.append("\(MutantSwitch.module)") }
        }

        """

    // MARK: Building

    /// Builds the copy; drops what the compiler refuses, and builds again, as often as it finds more.
    mutating func build(tell: (String) -> Void) throws {
        while true {
            try write()
            let log = folder.appending(path: "build.log")
            let status = try Run.command(
                ["swift", "build", "--configuration", "release", "-Xswiftc", "-enable-testing", "--build-tests"],
                in: folder, output: log)
            if status == .exited(0) { return }
            let text = try String(contentsOf: log, encoding: .utf8)
            var news = refusals(in: text).subtracting(refused)
            // An error may also stand before the mutant that it is about.
            if news.isEmpty { news = refusals(in: text, behindErrors: true).subtracting(refused) }
            guard !news.isEmpty else { throw Complaint("the copy does not build: see \(log.path)") }
            refused.formUnion(news)
            tell("\(refused.count) refused")
            let names = mutants.filter { refused.contains($0.number) }.map { $0.name + "\n" }
            try Data(names.joined().utf8).write(to: notes, options: .atomic)
        }
    }

    private func refusals(in log: String, behindErrors: Bool = false) -> Set<Int> {
        var numbers: Set<Int> = []
        for line in log.split(separator: "\n") {
            guard let match = line.firstMatch(of: /\/Sources\/([^:]+?):(\d+):\d+: error:/), let number = Int(match.2)
            else {
                continue
            }
            let file = String(match.1)
            if line.contains("in reasonable time") {
                // It is said where the expression begins. That of a few lines has too many mutants: none stays.
                guard let first = schema(of: file).mutant(fromLine: number), let line = self.line(of: first) else {
                    continue
                }
                numbers.formUnion(mutants.filter { $0.file == file && abs($0.line - line) < 4 }.map(\.number))
            } else {
                let schema = schema(of: file)
                let mutant = behindErrors ? schema.mutant(fromLine: number) : schema.mutant(atLine: number)
                if let mutant { numbers.insert(mutant) }
            }
        }
        return numbers
    }

    private func line(of number: Int) -> Int? { mutants.first { $0.number == number }?.line }

    /// The file with all its mutants but those that are refused.
    private func schema(of file: String) -> Schema {
        let source = String(decoding: originals["Sources/\(file)"] ?? Data(), as: UTF8.self)
        return Schema(source, mutants.filter { $0.file == file && !refused.contains($0.number) })
    }

    var command: URL { folder.appending(path: ".build/release/understudy") }
    var tests: URL { folder.appending(path: ".build/release/understudyPackageTests.xctest") }
}

extension URL {
    fileprivate var isFolder: Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}

struct Complaint: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
