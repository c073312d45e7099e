/// How patient a dial is, and how much it may hold (BEHAVIOUR 2.F11).
package struct DialSettings: Equatable, Sendable {
    /// How long an attempt has for itself before the next address is tried beside it (RFC 8305 5).
    package var attemptDelay: Duration = .milliseconds(250)
    /// How long IPv4 addresses wait for the answer about IPv6 (RFC 8305 3).
    package var resolutionDelay: Duration = .milliseconds(50)
    /// After this an attempt is given up.
    package var attemptLimit: Duration = .seconds(10)
    /// Addresses of each family that are tried at all: those of a dead one take no place of the other's.
    package var mostAddresses = 16
    /// Attempts at the same time.
    package var mostAttempts = 8

    package init() {}
}
