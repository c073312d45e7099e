/// Whose fault an unexpected input is. The only door to an assertion in this package.
package enum Blame: Hashable, Sendable {
    /// A machine or its world broke the contract.
    case us
    /// The peer broke the protocol: the exchange fails with a named failure.
    case peer
    /// The caller asked for something that cannot be: the task fails with a named failure.
    case caller
    /// Network, disk or clock let us down.
    case environment
}

extension Blame {
    /// A contract of our own is broken: stops a debug build; a release build goes on and fails the task concerned.
    package static func ours(_ what: @autoclosure () -> String) { assertionFailure(what()) }
}
