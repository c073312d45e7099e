import Foundation

/// A copy of the project, below `.build`, whose machines hold all mutants. It is kept: the next build is cheaper.
struct MutatedCopy {
    static let machines = "Sources/ClientMachines"

    let root: URL
    let folder: URL
    let mutants: [Mutant]
    /// Numbers of those that the compiler refuses.
    private(set) var refused: Set<Int> = []

    init(of root: URL) throws {
        self.root = root
        folder = root.appending(path: ".build/mutation/copy")
        var mutants: [Mutant] = []
        for file in try Self.files(below: root.appending(path: Self.machines)).sorted() where file.hasSuffix(".swift") {
            let source = try String(contentsOf: root.appending(path: "\(Self.machines)/\(file)"), encoding: .utf8)
            mutants += MutantFinder.mutants(of: source, in: file)
        }
        for index in mutants.indices { mutants[index].number = index + 1 }
        self.mutants = mutants
    }

    // MARK: Copying

    /// Writes the copy anew, except for what did not change: that need not be compiled again.
    private func write() throws {
        var texts: [String: Data] = [:]
        for tree in ["Sources", "Tests/ClientMachinesTests", "Tests/TestSupport", "scenarios"] {
            for file in try Self.files(below: root.appending(path: tree)) {
                texts["\(tree)/\(file)"] = try Data(contentsOf: root.appending(path: "\(tree)/\(file)"))
            }
        }
        for (file, mutants) in Dictionary(grouping: mutants.filter { !refused.contains($0.number) }, by: \.file) {
            let path = "\(Self.machines)/\(file)"
            let source = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            texts[path] = Data(Schema(source, mutants).text.utf8)
        }
        texts["\(Self.machines)/MutantSwitch.swift"] = Data(Schema.switchFile(mutants: mutants.count).utf8)
        texts["Package.swift"] =
            try Data(contentsOf: root.appending(path: "Package.swift")) + Data(Self.manifestEnd.utf8)
        let versions = root.appending(path: "Package.resolved")
        if let versions = try? Data(contentsOf: versions) { texts["Package.resolved"] = versions }

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

    /// Only these tests are played, and mutants make the compiler warn.
    private static let manifestEnd = """

        package.targets.removeAll { $0.type == .test && $0.name != "ClientMachinesTests" }
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
            let news = try refusals(in: String(contentsOf: log, encoding: .utf8)).subtracting(refused)
            guard !news.isEmpty else { throw Complaint("the copy does not build: see \(log.path)") }
            refused.formUnion(news)
        }
    }

    private func refusals(in log: String) throws -> Set<Int> {
        var numbers: Set<Int> = []
        for line in log.split(separator: "\n") {
            guard let match = line.firstMatch(of: /\/Sources\/ClientMachines\/(.+?):(\d+):\d+: error:/) else {
                continue
            }
            let file = String(match.1)
            let source = try String(contentsOf: root.appending(path: "\(Self.machines)/\(file)"), encoding: .utf8)
            let present = mutants.filter { $0.file == file && !refused.contains($0.number) }
            if let number = Schema(source, present).mutant(atLine: Int(match.2) ?? 0) { numbers.insert(number) }
        }
        return numbers
    }

    var command: URL { folder.appending(path: ".build/release/understudy") }
    var tests: URL { folder.appending(path: ".build/release/understudyPackageTests.xctest") }
}

struct Complaint: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
