import HTTPBasics
import ScenarioFormat
import ServerScript

/// What went over the wire and what both sides made of it, as lines in the order of time.
package struct WireTraceText {
    private struct Direction: Hashable {
        var connection: Int
        var isFromClient: Bool
    }

    private var entries: [(instant: Instant, text: String)] = []
    private var directions: [Direction: WireText] = [:]

    package init() {}

    /// How many bytes of one piece are shown.
    static let shownBytes = 160

    /// Pieces of one direction come in their order.
    package mutating func add(
        connection: Int, isFromClient: Bool, instant: Instant, since start: Instant = .zero,
        bytes: some Collection<UInt8>
    ) {
        let arrow = isFromClient ? "->" : "<-"
        let direction = Direction(connection: connection, isFromClient: isFromClient)
        let seen = directions[direction, default: WireText()].text(bytes, limit: WireTraceText.shownBytes)
        let text = "wire    #\(connection) \(arrow) \(bytes.count): \(seen)"
        entries.append((WireTraceText.shifted(instant, start), text))
    }

    /// The pieces and what the two sides observed, by time; at the same instant, in the order of this function.
    package func lines(_ observation: CaseObservation, since start: Instant = .zero) -> [String] {
        let server = observation.server.map { event in
            let text = "server  #\(event.peer.value): \(WireTraceText.text(event.kind))"
            return (instant: WireTraceText.shifted(event.instant, start), text: text)
        }
        let client = observation.journal.events.map { event in
            (instant: event.time, text: "client  \(event.task): \(EventText.text(event))")
        }
        return (entries + server + client).enumerated()
            .sorted { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }
            .map { "\(EventText.text($0.element.instant))  \($0.element.text)" }
    }

    private static func shifted(_ instant: Instant, _ start: Instant) -> Instant {
        Instant(nanoseconds: instant.nanoseconds &- start.nanoseconds)
    }

    private static func text(_ kind: ServerEvent.Kind) -> String {
        switch kind {
        case .accepted: return "accepted"
        case .request(let request):
            return "read \(request.method) \(Secrets.shown(request.target))\(request.lane.map { " (\($0))" } ?? "")"
        case .noted(let note): return "noted: \(note)"
        case .requestBody(let body): return "read the body, \(body.count.counting("byte"))"
        case .uploaded(let path, let body): return "has all of \(Secrets.shown(path)), \(body.count.counting("byte"))"
        case .answered(let status): return "answered \(status)"
        case .faulted(let fault): return "fault at \(fault.landmark): \(fault.effect)"
        case .drew(let fault, let happens, let seed):
            let chance = "(\(fault.percent)%, seed \(seed))"
            return
                "\(happens ? "drew" : "was spared") \(fault.effect) at \(fault.landmark) \(chance)"
        case .brokenOff(let part, let count): return "broken off in a request's \(part.rawValue), after \(count) bytes"
        case .tunnelled(let host): return "goes on to \(host)"
        case .secureFailed(let failure): return "TLS failed: \(failure.detail)"
        case .closed(let byClient): return "closed by the \(byClient ? "client" : "server")"
        case .violation(let violation): return "violation: \(violation.summary)"
        case .exhausted: return "the script is consumed"
        case .abandoned: return "the round is given up"
        case .startedOver: return "the script begins anew"
        }
    }
}
