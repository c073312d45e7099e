/// Whose fault an unexpected input is. The only door to an assertion in this package.
package enum Blame: Hashable, Sendable {
    /// A machine or its world broke the contract: a bug of ours.
    case ours
    /// The peer broke the protocol: the exchange fails with a named failure.
    case peer
    /// The caller asked for something that cannot be: the task fails with a named failure.
    case caller
    /// Network, disk or clock let us down.
    case environment
}
