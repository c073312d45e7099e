/// Which effect may stand at which landmark, and where such a fault is written: the one table for lint, reference page
/// and tests.
extension Fault.Landmark {
    /// A landmark without its position.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        case listen, accept, requestHead, requestBody, request, interim, statusLine, head, headEnd, body, chunk
        case lastChunk, trailers, end, idle

        /// As a scenario file writes it: `N` is a count of bytes, `i` an index from 0.
        package var form: String {
            switch self {
            case .listen: "listen"
            case .accept: "accept"
            case .requestHead: "request-head"
            case .requestBody: "request-body+N"
            case .request: "request"
            case .interim: "interim[i]"
            case .statusLine: "status-line+N"
            case .head: "head+N"
            case .headEnd: "head-end"
            case .body: "body+N"
            case .chunk: "chunk[i].size|data|crlf"
            case .lastChunk: "last-chunk"
            case .trailers: "trailers"
            case .end: "end"
            case .idle: "idle+900ms"
            }
        }

        /// Why an effect means nothing here; nil for a legal cell.
        package func objection(to effect: Fault.Effect.Kind) -> String? {
            switch (self, effect) {
            case (.listen, .reset), (.listen, .stall): nil
            case (.listen, .fin), (.listen, .truncate), (.listen, .halfClose), (.listen, .garbage), (.listen, .record):
                "there is no connection yet: a client is refused (reset) or never answered (stall)"
            case (.listen, .delay): "the system refuses a client at once (reset) or never answers (stall)"
            case (.idle, .delay): "a pause of an idle connection has no effect"
            case (.accept, .record): "the connection is not secured yet: say it in the host's 'tls: {fault: ...}'"
            default: nil
            }
        }

        /// The kinds of effect that mean something here.
        package var legalEffects: [Fault.Effect.Kind] { Fault.Effect.Kind.allCases.filter { objection(to: $0) == nil } }

        /// Where such a fault may be written.
        package var homes: [Fault.Home] {
            switch self {
            case .listen: [.host]
            case .accept: [.accept]
            case .idle: [.accept, .exchange]
            case .requestHead, .requestBody, .request, .interim, .statusLine, .head, .headEnd, .body, .chunk,
                .lastChunk, .trailers, .end:
                [.exchange]
            }
        }

        /// Whether it lies before the answer, so that a reply is not needed to reach it.
        package var isBeforeReply: Bool {
            switch self {
            case .listen, .accept, .requestHead, .requestBody, .request: true
            case .interim, .statusLine, .head, .headEnd, .body, .chunk, .lastChunk, .trailers, .end, .idle: false
            }
        }

        /// Whether only a body in chunks ever comes there.
        package var needsChunks: Bool { [.chunk, .lastChunk, .trailers].contains(self) }
    }

    package var kind: Kind {
        switch self {
        case .listen: .listen
        case .accept: .accept
        case .requestHead: .requestHead
        case .requestBody: .requestBody
        case .request: .request
        case .interim: .interim
        case .statusLine: .statusLine
        case .head: .head
        case .headEnd: .headEnd
        case .body: .body
        case .chunk: .chunk
        case .lastChunk: .lastChunk
        case .trailers: .trailers
        case .end: .end
        case .idle: .idle
        }
    }

}

extension Fault {
    /// The part of a script that a fault is written in: what triggers it.
    package enum Home: String, Hashable, Sendable {
        /// A host of the script: it holds for the whole run.
        case host
        /// An `accept` step.
        case accept
        /// An exchange or its reply.
        case exchange
    }
}

extension Fault.Effect {
    /// An effect without its duration.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        case fin, truncate, reset, stall, halfClose, garbage, delay, record
    }

    package var kind: Kind {
        switch self {
        case .fin: .fin
        case .reset: .reset
        case .stall: .stall
        case .halfClose: .halfClose
        case .truncate: .truncate
        case .garbage: .garbage
        case .delay: .delay
        case .record: .record
        }
    }

    /// Those that are one word in a scenario file.
    package static let words: [(word: String, effect: Fault.Effect)] =
        [
            ("fin", .fin), ("truncate", .truncate), ("reset", .reset), ("stall", .stall), ("half-close", .halfClose),
            ("garbage", .garbage),
        ] + RecordFault.words.map { ($0.word, .record($0.fault)) }

    package init?(word: String) {
        guard let found = Self.words.first(where: { $0.word == word }) else { return nil }
        self = found.effect
    }

    /// Nil for those that a map says.
    package var word: String? { Self.words.first { $0.effect == self }?.word }

    /// The words that a `close` step may have: those that end the server's sending.
    package static let closingWords = words.filter {
        [.fin, .truncate, .reset, .halfClose, .garbage].contains($0.effect)
    }
    .map(\.word)
}

extension Fault.Landmark: CustomStringConvertible {
    /// As a scenario file writes it.
    package var description: String {
        switch self {
        case .listen, .accept, .requestHead, .request, .headEnd, .lastChunk, .trailers, .end: kind.form
        case .requestBody(let count): "request-body+\(count)"
        case .interim(let index): "interim[\(index)]"
        case .statusLine(let count): "status-line+\(count)"
        case .head(let count): "head+\(count)"
        case .body(let count): "body+\(count)"
        case .chunk(let index, let part): "chunk[\(index)].\(part.rawValue)"
        case .idle(let span): "idle+\(span)"
        }
    }

    /// The landmarks that are a word alone.
    package static let words: [Fault.Landmark] = [
        .listen, .accept, .requestHead, .request, .headEnd, .lastChunk, .trailers, .end,
    ]
}
