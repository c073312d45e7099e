/// What a storage of cookies or of answers says to the sessions that ask it: whether it has anything at all.
///
/// It says so under its lock, from several threads, and what one of them says may reach a machine before what another
/// has said earlier: hence the number.
package struct StorageNews: Hashable, Sendable {
    package private(set) var hasSome = false
    private var number: UInt64 = 0

    package init() {}

    /// The storage says something, for the first time or anew.
    package mutating func say(hasSome: Bool) {
        self.hasSome = hasSome
        number += 1
    }

    /// Whether this was said later than the other.
    package func isNewer(than other: StorageNews) -> Bool { number > other.number }
}

/// What the tasks of a session know about such a storage: one for all of a client machine, and confined to it.
final class KnownStorage {
    private var news = StorageNews()
    /// While it has none at all, nobody asks it (BEHAVIOUR 2.C5-empty).
    var mayHaveSome = false

    func hear(_ news: StorageNews) {
        guard news.isNewer(than: self.news) else { return }
        self.news = news
        mayHaveSome = news.hasSome
    }
}
