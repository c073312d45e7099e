/// What the tasks of a session know about the path: one for all of a client machine, and confined to it.
final class SessionPath {
    /// Nil until the world has told.
    private(set) var current: NetworkPath?
    /// How often it has told.
    private(set) var news = 0
    /// The world was asked, and tells of each change from then on.
    var isWatched = false

    /// Returns whether it is another one than before.
    func told(_ path: NetworkPath) -> Bool {
        news += 1
        defer { current = path }
        return current != nil && current != path
    }
}
