/// Which connection a request can go out on.
package enum ConnectionNeed: Hashable, Sendable {
    /// Any that is there: a request that dies on it unanswered is sent again (BEHAVIOUR 1.E1).
    case any
    /// One that is alive as far as can be known, for a request that may not be sent twice (BEHAVIOUR 1.E1-young).
    case young
    /// One that was never used: the former one had gone stale.
    case fresh
}
