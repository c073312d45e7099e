extension String {
    /// The members of a list value (RFC 9110 5.6.1), empty ones left out.
    ///
    /// Cut at bytes: at characters, a list as long as a head may be would take milliseconds. For the same reason only
    /// the first sixteen are told apart; what follows them is one member, which means nothing to anybody.
    package var listMembers: [Substring] {
        utf8.split(separator: UInt8(ascii: ","), maxSplits: 16).map { Substring($0) }
    }
}
