/// Whether a request may go out, and past which caches: what is left of its cache policy where nothing is cached
/// (BEHAVIOUR 2.D2).
package enum NetworkUse: Hashable, Sendable {
    case asNeeded
    /// No cache on the way may answer either.
    case pastEveryCache
    /// What is not here already cannot be had.
    case never
}
