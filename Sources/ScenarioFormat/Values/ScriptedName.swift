/// What the name of a host resolves to, and what is found at its addresses. A host without one has an IPv4 address that
/// answers at once.
package struct ScriptedName: Hashable, Sendable {
    package enum Family: String, Hashable, Sendable, CaseIterable { case v6, v4 }

    package enum Place: Hashable, Sendable {
        case answers
        /// Answers so much later.
        case late(Duration)
        case silent, refused, unreachable
    }

    package struct Address: Hashable, Sendable {
        package var family: Family
        package var place: Place

        package init(_ family: Family, _ place: Place = .answers) {
            self.family = family
            self.place = place
        }
    }

    /// What becomes of the question about one family.
    package enum Answer: Hashable, Sendable {
        case after(Duration)
        case never, unknown
    }

    package var host: String
    /// In the order in which the resolver gives them.
    package var addresses: [Address] = []
    package var v6 = Answer.after(.zero)
    package var v4 = Answer.after(.zero)
    /// The system's resolver is asked, for the one name that every system knows.
    package var isSystems = false

    package init(_ host: String, _ addresses: [Address] = []) {
        self.host = host
        self.addresses = addresses
    }

    package subscript(family: Family) -> Answer { family == .v6 ? v6 : v4 }

    package func places(_ family: Family) -> [Place] { addresses.filter { $0.family == family }.map(\.place) }

    /// Whether only a simulated network can do what its addresses do.
    package var needsSimulation: Bool {
        addresses.contains { address in
            switch address.place {
            case .late, .unreachable: true
            case .answers, .silent, .refused: false
            }
        }
    }

    /// How long the longest answer takes.
    package var delay: Duration {
        let answers = [v6, v4].map { if case .after(let span) = $0 { span } else { Duration.zero } }
        let places = addresses.map { if case .late(let span) = $0.place { span } else { Duration.zero } }
        return (answers + places).max() ?? .zero
    }

    static let placeWords: [(word: String, address: Address)] = Family.allCases.flatMap { family in
        let places: [(String, Place)] = [
            ("", .answers), ("-silent", .silent), ("-refused", .refused), ("-unreachable", .unreachable),
        ]
        return places.map { (family.rawValue + $0.0, Address(family, $0.1)) }
    }

    static let systemWord = "system"

    static let answerWords: [(word: String, answer: Answer)] = [("never", .never), ("unknown", .unknown)]
}
