extension String {
    /// The members of a list value (RFC 9110 5.6.1), empty ones left out.
    ///
    /// Cut at bytes: at characters, a list as long as a head may be would take milliseconds. For the same reason it is
    /// cut at the first sixteen commas that end a member; what stands behind them is one more (BEHAVIOUR 2.F21-list).
    package var listMembers: [Substring] {
        utf8.split(separator: ASCII.comma, maxSplits: 16).map { Substring($0) }
    }
}
