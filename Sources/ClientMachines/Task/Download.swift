import HTTPBasics

/// The file of a download and how far it has grown.
struct Download: Equatable, Sendable {
    let path: String
    /// Bytes in the file that were there before this task.
    let offset: Int64
    /// Size of the whole when known.
    let total: Int64
    /// Bytes handed to the file, the offset included.
    var handed: Int64
    /// Bytes that the file has taken, the offset included.
    var written: Int64
    var isOpen = false
    /// This response can be continued later.
    var canResume: Bool

    init(path: String, offset: Int64, total: Int64, canResume: Bool) {
        self.path = path
        self.offset = offset
        self.total = total
        self.canResume = canResume
        handed = offset
        written = offset
    }

    /// Bytes that the file still owes an answer for.
    var pending: Int { Int(handed - written) }
}
