/// Which effect may stand at which landmark: the one table for lint, reference page and tests.
///
/// Everything is legal except a pause of an idle connection, which nobody could see.
extension Landmark {
    /// A landmark without its position.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        case accept, requestHead, requestBody, request, interim, statusLine, head, headEnd, body, end, idle

        /// The kinds of effect that mean something here.
        package var legalEffects: [Effect.Kind] {
            switch self {
            case .accept, .requestHead, .requestBody, .request, .interim, .statusLine, .head, .headEnd, .body, .end:
                Effect.Kind.allCases
            case .idle: [.fin, .reset, .stall, .halfClose, .garbage]
            }
        }

        /// Whether it lies before the answer, so that a reply is not needed to reach it.
        package var isBeforeReply: Bool {
            switch self {
            case .accept, .requestHead, .requestBody, .request: true
            case .interim, .statusLine, .head, .headEnd, .body, .end, .idle: false
            }
        }

        /// Whether an `accept` step may carry it; all others belong to exchanges.
        package var isLegalWithoutExchange: Bool { self == .accept || self == .idle }
    }

    package var kind: Kind {
        switch self {
        case .accept: .accept
        case .requestHead: .requestHead
        case .requestBody: .requestBody
        case .request: .request
        case .interim: .interim
        case .statusLine: .statusLine
        case .head: .head
        case .headEnd: .headEnd
        case .body: .body
        case .end: .end
        case .idle: .idle
        }
    }

    package var legalEffects: [Effect.Kind] { kind.legalEffects }
}

extension Effect {
    /// An effect without its duration.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        case fin, reset, stall, halfClose, garbage, delay
    }

    package var kind: Kind {
        switch self {
        case .fin: .fin
        case .reset: .reset
        case .stall: .stall
        case .halfClose: .halfClose
        case .garbage: .garbage
        case .delay: .delay
        }
    }

    /// The effects that a `close` step may have: those that end the server's sending.
    package static let closing: [Kind] = [.fin, .reset, .halfClose, .garbage]
}

extension Landmark: CustomStringConvertible {
    /// As a scenario file writes it.
    package var description: String {
        switch self {
        case .accept: "accept"
        case .requestHead: "request-head"
        case .requestBody(let count): "request-body+\(count)"
        case .request: "request"
        case .interim(let index): "interim[\(index)]"
        case .statusLine(let count): "status-line+\(count)"
        case .head(let count): "head+\(count)"
        case .headEnd: "head-end"
        case .body(let count): "body+\(count)"
        case .end: "end"
        case .idle(let span): "idle+\(span)"
        }
    }
}
