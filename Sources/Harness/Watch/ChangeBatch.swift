import HTTPBasics

/// Paths that have changed.
struct FolderChanges: Equatable {
    /// Files, and folders that came or went with all that is in them.
    var paths: Set<String> = []
    /// The kernel had to drop events: anything may have changed.
    var isIncomplete = false

    var isEmpty: Bool { paths.isEmpty && !isIncomplete }

    func concern(_ path: String) -> Bool {
        isIncomplete || paths.contains(path) || paths.contains { path.hasPrefix($0 + "/") }
    }
}

/// Collects changes until nothing more comes for a moment: to save one file is many events, to switch a branch
/// thousands.
struct ChangeBatch {
    static let quiet = Duration.milliseconds(50)
    /// What never comes to rest must not keep us waiting for ever.
    static let longest = Duration.seconds(1)

    private(set) var changes = FolderChanges()
    private var first: Instant?
    private var last: Instant?

    mutating func add(_ path: String, at now: Instant) {
        changes.paths.insert(path)
        note(now)
    }

    mutating func addLoss(at now: Instant) {
        changes.isIncomplete = true
        note(now)
    }

    private mutating func note(_ now: Instant) {
        if first == nil { first = now }
        last = now
    }

    /// When it is whole, unless something comes before; nil while nothing has come.
    var deadline: Instant? {
        guard let first, let last else { return nil }
        return min(last + ChangeBatch.quiet, first + ChangeBatch.longest)
    }
}
