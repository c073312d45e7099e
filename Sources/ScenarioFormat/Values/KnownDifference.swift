import ServerScript

/// Whose URLSession plays the client's part.
package enum ClientName: String, Hashable, Sendable, CaseIterable {
    case ours
    /// The one that comes with the Swift toolchain.
    case foundation = "foundation-networking"
}

/// One way in which another client is known not to conform: an entry of `differs:`.
package struct KnownDifference: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Another answer to a question that can be answered so or so.
        case different
        /// An answer that a clause of a standard or of the client's own documentation forbids.
        case broken
        /// The process ends.
        case crashed
        /// The client lane never gets to its end.
        case wedged
        /// Not the same every time.
        case flaky
    }

    /// What may become of a flaky case.
    package enum Outcome: String, Hashable, Sendable, CaseIterable { case conform, differ, crash, hang }

    package var client: ClientName
    package var verdict: Kind
    /// All that is found in place of what is expected, in the judge's words; for `different` and `broken`.
    package var seen: [String]
    /// For `flaky`.
    package var may: [Outcome]
    /// The styles that it holds for.
    package var styles: [Style]
    package var because: String
    /// The clause that forbids it; for `broken`.
    package var against: Clause?
    package var mark: SourceMark

    package init(
        client: ClientName, verdict: Kind, seen: [String] = [], may: [Outcome] = [],
        styles: [Style] = Style.allCases, because: String, against: Clause? = nil, mark: SourceMark
    ) {
        self.client = client
        self.verdict = verdict
        self.seen = seen
        self.may = may
        self.styles = styles
        self.because = because
        self.against = against
        self.mark = mark
    }
}

extension ScenarioCase {
    /// What is known of this client in this style.
    package func difference(of client: ClientName, in style: Style) -> KnownDifference? {
        differences.first { $0.client == client && $0.styles.contains(style) }
    }
}
