/// One text file of the repository.
struct SourceFile: Sendable {
    /// From the repository's root: `Sources/HTTPBasics/Origin.swift`.
    let path: String
    let text: String
    let lines: [Substring]
    /// Empty for files that are not Swift.
    let tokens: SwiftTokens

    init(_ path: String, _ text: String) {
        self.path = path
        self.text = text
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        tokens = SwiftTokens(path.hasSuffix(".swift") ? text : "")
    }

    var isSwift: Bool { path.hasSuffix(".swift") }
    var isSource: Bool { path.hasPrefix("Sources/") && isSwift }
    var isTest: Bool { path.hasPrefix("Tests/") && isSwift }
    /// The tidy tests speak of what they forbid.
    var isTidy: Bool { path.hasPrefix("Tests/TidyTests/") }

    /// The folder below `Sources` or `Tests`.
    var module: String {
        let parts = path.split(separator: "/")
        return parts.count > 2 && (isSource || isTest) ? String(parts[1]) : ""
    }

    /// The path inside its module, without `.swift`.
    var pathInModule: String {
        let inner = path.split(separator: "/").dropFirst(2).joined(separator: "/")
        return inner.hasSuffix(".swift") ? String(inner.dropLast(6)) : inner
    }

    /// The file's name without `.swift`.
    var name: String { String(pathInModule.split(separator: "/").last ?? "") }

    /// Lines as people count them: no line after the last line break.
    var lineCount: Int { lines.last?.isEmpty == true ? lines.count - 1 : lines.count }
}
