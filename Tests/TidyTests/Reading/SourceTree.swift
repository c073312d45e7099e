import Foundation

/// The text files that the rules judge; the repository's own, or a few planted ones.
struct SourceTree: Sendable {
    let files: [SourceFile]
    /// Names at the repository's root, files and folders.
    let topLevel: [String]

    init(_ files: [SourceFile], topLevel: [String] = []) {
        self.files = files.sorted { $0.path < $1.path }
        self.topLevel = topLevel
    }

    /// One Swift file under that path, for tests of the rules.
    init(_ path: String, _ text: String) { self.init([SourceFile(path, text)]) }

    func file(_ path: String) -> SourceFile? { files.first { $0.path == path } }

    var swift: [SourceFile] { files.filter(\.isSwift) }

    /// This repository, read once.
    static let repository = load(root: root)

    static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// What is made here but does not belong to the repository (`.gitignore`).
    private static let generated: Set = [".build", ".git", ".swiftpm", "Package.resolved", "report"]
    private static let kinds: Set = ["swift", "md", "yaml", "yml", "txt", "sh", "h", "modulemap", "cnf", "conf"]

    private static func load(root: URL) -> SourceTree {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        let topLevel = names.filter { !generated.contains($0) }.sorted()
        var files: [SourceFile] = []
        for name in topLevel { read(name, under: root, into: &files) }
        return SourceTree(files, topLevel: topLevel)
    }

    private static func read(_ path: String, under root: URL, into files: inout [SourceFile]) {
        let url = root.appendingPathComponent(path)
        var isFolder: ObjCBool = false
        let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)) != nil
        guard !isLink, FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else { return }
        if isFolder.boolValue {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
            where !generated.contains(name) {
                read("\(path)/\(name)", under: root, into: &files)
            }
        } else if kinds.contains(url.pathExtension) || url.pathExtension.isEmpty,
            let text = try? String(contentsOf: url, encoding: .utf8)
        {
            files.append(SourceFile(path, text))
        }
    }
}
