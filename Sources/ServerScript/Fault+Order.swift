extension Exchange {
    /// Its own and its reply's.
    package var allFaults: [Fault] { faults + (reply?.faults ?? []) }
}

extension Fault.Landmark {
    /// Whether this place lies before the other one in every answer; false where only playing it can tell.
    package func lies(before other: Fault.Landmark) -> Bool {
        switch (self, other) {
        case (.chunk(let mine, let part), .chunk(let others, let otherPart)):
            (mine, part.rank) < (others, otherPart.rank)
        // How many bytes a chunk has is up to its timeline.
        case (.body, .chunk), (.chunk, .body): false
        // A 100 may come before the request's body.
        case (.requestBody, .interim), (.request, .interim), (.interim, .requestBody), (.interim, .request): false
        default: place < other.place
        }
    }

    private var place: (part: Int, offset: Int) {
        switch self {
        case .listen: (0, 0)
        case .accept: (1, 0)
        case .requestHead: (2, 0)
        case .requestBody(let count): (3, count)
        case .request: (4, 0)
        case .interim(let index): (5, index)
        case .statusLine(let count), .head(let count): (6, count)
        case .headEnd: (7, 0)
        case .body(let count): (8, count)
        case .chunk(let index, _): (8, index)
        case .lastChunk: (9, 0)
        case .trailers: (10, 0)
        case .end: (11, 0)
        case .idle: (12, 0)
        }
    }
}

extension ChunkPart {
    fileprivate var rank: Int {
        switch self {
        case .size: 0
        case .data: 1
        case .crlf: 2
        }
    }
}

extension [Fault] {
    /// Those of one exchange that never strike because of others.
    package var objections: [(fault: Fault, objection: Objection)] {
        var found: [(Fault, Objection)] = []
        for (index, fault) in enumerated() {
            if fault.landmark.kind == .idle, self[..<index].contains(where: { $0.landmark.kind == .idle }) {
                found.append((fault, Objection("an exchange has one fault of an idle connection")))
            }
            let end = enumerated().first { number, other in
                other.isLast
                    && (other.landmark.lies(before: fault.landmark)
                        || other.landmark == fault.landmark && number < index)
            }
            guard let end = end?.element else { continue }
            let text = "this fault never strikes: the one at '\(end.landmark)' ends the exchange before"
            found.append((fault, Objection(text)))
        }
        return found
    }
}

extension Fault {
    fileprivate var isLast: Bool { !effect.goesOn && percent >= 100 }
}
