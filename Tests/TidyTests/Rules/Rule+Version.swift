/// The version in the sources, which `understudy --version` prints, and the newest one of CHANGELOG.md.
extension Rule {
    static let changelogPath = "CHANGELOG.md"
    static let versionPath = "Sources/HTTPBasics/LibraryVersion.swift"

    /// The section `Unreleased` may stand above the newest version.
    static let version = Rule(name: "version") { tree in
        guard let page = tree.file(changelogPath), let source = tree.file(versionPath) else { return [] }
        guard let version = source.text.firstMatch(of: /static let text = "([^"]*)"/)?.1 else {
            return [Finding(path: versionPath, line: 1, message: "there is no `static let text = \"…\"`")]
        }
        let headings = page.lines.enumerated().filter { $0.element.hasPrefix("## ") }
        guard let newest = headings.first(where: { $0.element != "## Unreleased" }) else {
            return [Finding(path: changelogPath, line: 1, message: "no version has a heading; \(version) should")]
        }
        guard newest.element != "## \(version)" else { return [] }
        return [
            Finding(
                path: changelogPath, line: newest.offset + 1,
                message: "'\(newest.element)' is the newest version, but \(versionPath) says \(version)")
        ]
    }
}
