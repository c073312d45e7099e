/// What shall become of the certificates that a server has sent.
package enum TrustDecision: Hashable, Sendable {
    /// The system's rules decide: the machine's trust store, the host's name, the date.
    case evaluate
    /// The user has accepted them, whatever the rules say.
    case accept
}
