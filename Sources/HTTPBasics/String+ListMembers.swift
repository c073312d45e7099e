extension String {
    /// At how many commas `listMembers` cuts.
    package static let mostListCuts = 16

    /// The members of a list value (RFC 9110 5.6.1), empty ones left out.
    ///
    /// Cut at bytes: at characters, a list as long as a head may be would take milliseconds. For the same reason it is
    /// cut only at the first sixteen commas that end a member; what stands behind them is one more
    /// (BEHAVIOUR 2.F21-list).
    package var listMembers: [Substring] {
        utf8.split(separator: ASCII.comma, maxSplits: String.mostListCuts).map { Substring($0) }
    }
}
