import HTTPBasics

/// The file of a download and how far it has grown.
struct Download: Equatable, Sendable {
    var path: String
    /// Bytes in the file that were there before this task.
    let offset: Int64
    /// Size of the whole when known.
    let total: DeclaredLength?
    /// Bytes handed to the file, the offset included.
    var handed: Int64
    /// Bytes that the file has taken, the offset included.
    var written: Int64
    /// What the pieces that the file still owes an answer for count as (`DeliveryWindow`).
    var waiting = 0
    /// Nothing has gone wrong with the file.
    var canResume = true

    init(path: String, offset: Int64, total: DeclaredLength?) {
        self.path = path
        self.offset = offset
        self.total = total
        handed = offset
        written = offset
    }

    // A rest in chunks, or one that ends with its connection, can bring any number of bytes.

    /// Whether so much more would be more than the rest that was promised.
    func isOverfull(by count: Int) -> Bool {
        guard offset > 0, let total else { return false }
        return DeclaredLength(handed + Int64(count)) ?? .max > total
    }

    /// Whether something of the rest that was promised is missing.
    var isShort: Bool {
        guard offset > 0, let total, let handed = DeclaredLength(handed) else { return false }
        return handed < total
    }

    /// Bytes that the file still owes an answer for.
    var pending: Int { Int(handed - written) }
}
