import HTTPBasics
import ServerScript

/// A file of the caller's, for `file:` URLs. All of a case's lie in one folder, made for it.
package struct LocalFile: Hashable, Sendable {
    package var name: String
    package var content: Content

    package init(name: String, content: Content) {
        self.name = name
        self.content = content
    }

    /// No path: a scenario reads nothing outside that folder.
    static func isName(_ text: some StringProtocol) -> Bool {
        guard let first = text.utf8.first, first != UInt8(ascii: ".") else { return false }
        return text.utf8.count <= 100
            && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
    }
}
