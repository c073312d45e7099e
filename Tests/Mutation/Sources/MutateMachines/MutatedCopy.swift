import Foundation

/// A copy of the project, below `.build`, whose machines hold all mutants. It is kept: the next build is cheaper.
struct MutatedCopy {
    static let machines = "Sources/ClientMachines"

    let root: URL
    let folder: URL
    let mutants: [Mutant]
    /// What is copied, as it was at the beginning: nobody has to keep still while the mutants are played.
    private let originals: [String: Data]
    /// Numbers of those that the compiler refuses.
    private(set) var refused: Set<Int> = []

    init(of root: URL) throws {
        self.root = root
        folder = root.appending(path: ".build/mutation/copy")
        var originals: [String: Data] = [:]
        for tree in ["Sources", "Tests/ClientMachinesTests", "Tests/TestSupport", "scenarios"] {
            for file in try Self.files(below: root.appending(path: tree)) {
                originals["\(tree)/\(file)"] = try Data(contentsOf: root.appending(path: "\(tree)/\(file)"))
            }
        }
        originals["Package.swift"] = try Data(contentsOf: root.appending(path: "Package.swift"))
        originals["Package.resolved"] = try? Data(contentsOf: root.appending(path: "Package.resolved"))
        self.originals = originals

        var mutants: [Mutant] = []
        for path in originals.keys.sorted() where path.hasPrefix("\(Self.machines)/") && path.hasSuffix(".swift") {
            let source = String(decoding: originals[path] ?? Data(), as: UTF8.self)
            mutants += MutantFinder.mutants(of: source, in: String(path.dropFirst(Self.machines.count + 1)))
        }
        for index in mutants.indices { mutants[index].number = index + 1 }
        self.mutants = mutants
    }

    // MARK: Copying

    /// Writes the copy anew, except for what did not change: that need not be compiled again.
    private func write() throws {
        var texts = originals
        for file in Set(mutants.map(\.file)) {
            texts["\(Self.machines)/\(file)"] = Data(schema(of: file).text.utf8)
        }
        texts["\(Self.machines)/MutantSwitch.swift"] = Data(Schema.switchFile(mutants: mutants.count).utf8)
        texts["Package.swift"]?.append(Data(Self.manifestEnd.utf8))

        for tree in ["Sources", "Tests", "scenarios"] {
            for file in (try? Self.files(below: folder.appending(path: tree))) ?? []
            where texts["\(tree)/\(file)"] == nil {
                try FileManager.default.removeItem(at: folder.appending(path: "\(tree)/\(file)"))
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

        let isPlayed = ["ClientMachinesTests", "TestSupport"].contains
        package.targets.removeAll { target in
            (target.type == .test || target.path?.hasPrefix("Tests/") ?? false) && !isPlayed(target.name)
                || target.name == "understudy-reference"
        }
        for target in package.targets { target.swiftSettings = nil }

        """

    private static func files(below folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { path in
            var isFolder: ObjCBool = false
            let file = folder.appending(path: path).path
            return FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) && !isFolder.boolValue
        }
    }

    // MARK: Building

    /// Builds the copy; drops what the compiler refuses, and builds again, as often as it finds more.
    mutating func build() throws {
        while true {
            try write()
            let log = folder.appending(path: "build.log")
            let status = try Run.command(
                ["swift", "build", "--configuration", "release", "-Xswiftc", "-enable-testing", "--build-tests"],
                in: folder, output: log)
            if status == .exited(0) { return }
            let news = refusals(in: try String(contentsOf: log, encoding: .utf8)).subtracting(refused)
            guard !news.isEmpty else { throw Complaint("the copy does not build: see \(log.path)") }
            refused.formUnion(news)
        }
    }

    private func refusals(in log: String) -> Set<Int> {
        var numbers: Set<Int> = []
        for line in log.split(separator: "\n") {
            guard let match = line.firstMatch(of: /\/Sources\/ClientMachines\/(.+?):(\d+):\d+: error:/) else {
                continue
            }
            let file = String(match.1)
            if let number = schema(of: file).mutant(atLine: Int(match.2) ?? 0) { numbers.insert(number) }
        }
        return numbers
    }

    /// The file with all its mutants but those that are refused.
    private func schema(of file: String) -> Schema {
        let source = String(decoding: originals["\(Self.machines)/\(file)"] ?? Data(), as: UTF8.self)
        return Schema(source, mutants.filter { $0.file == file && !refused.contains($0.number) })
    }

    var command: URL { folder.appending(path: ".build/release/understudy") }
    var tests: URL { folder.appending(path: ".build/release/understudyPackageTests.xctest") }
}

struct Complaint: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
