import ServerScript

/// One part of a form that a task sends.
package struct FormPart: Hashable, Sendable {
    package var name: String
    package var filename: String?
    package var type: String?
    package var content: Content
    /// Its content is read from a file.
    package var isFile: Bool

    package init(
        name: String, filename: String? = nil, type: String? = nil, content: Content = .empty, isFile: Bool = false
    ) {
        self.name = name
        self.filename = filename
        self.type = type
        self.content = content
        self.isFile = isFile
    }
}

/// A file that goes out in slices.
package struct SlicedBody: Hashable, Sendable {
    package var content: Content
    /// Bytes of each slice; nil lets the network decide.
    package var length: Int?
    /// How many go out at the same time.
    package var parallel: Int
    /// How often each is tried.
    package var attempts: Int
    /// The name under which its state is kept; a later one of that name goes on with the file and the state.
    package var state: String?

    package init(content: Content, length: Int? = nil, parallel: Int = 4, attempts: Int = 5) {
        self.content = content
        self.length = length
        self.parallel = parallel
        self.attempts = attempts
    }
}
