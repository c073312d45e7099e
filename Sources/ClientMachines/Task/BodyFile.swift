/// A file that a body is made of.
package struct BodyFile: Hashable, Sendable {
    package let path: String
    /// The only state in which it may be sent; nil for the state in which it is found when it is opened.
    package let version: FileVersion?

    package init(path: String, version: FileVersion? = nil) {
        self.path = path
        self.version = version
    }
}

/// The one file of its body that a task has open.
enum OpenBodyFile: Equatable {
    case none, opening(BodyFile), open(BodyFile)

    var ready: BodyFile? { if case .open(let file) = self { file } else { nil } }
}

/// What tells one state of a file from the next: bytes are never mixed from two of them.
package struct FileVersion: Codable, Hashable, Sendable {
    /// In bytes.
    package let size: Int64
    /// When it was last written, in nanoseconds since 1970.
    package let modified: Int64

    package init(size: Int64, modified: Int64) {
        self.size = size
        self.modified = modified
    }
}
