/// What the tasks of a session know about its cache: one for all of a client machine, and confined to it.
final class SessionCache {
    /// While it keeps nothing at all, nobody asks it.
    var mayHaveSome = false
}
