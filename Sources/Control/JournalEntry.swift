import Foundation
import HTTPBasics
import ServerScript

/// One exchange, or what was no request, as the control interface shows it: secrets are hidden.
struct JournalEntry: Equatable, Sendable {
    let number: Int
    let connection: Int
    let exchange: Int
    /// When its head had been read, and when the head of its answer was written, by the server's clock.
    var began = Instant.zero
    var answered: Instant?
    var host = ""
    var method = ""
    var target = ""
    var fields = Fields()
    var lane: String?
    var status: Int?
    var bodyCount = 0
    var body: [UInt8] = []
    var faults: [String] = []
    var violation: Violation?

    /// The journal's entries, in the order in which requests were read. `numbers` has those of the events' exchanges in
    /// the round, of which the first may be forgotten; without it they are counted.
    static func list(from events: [ServerEvent], numbers: [Int]? = nil) -> [JournalEntry] {
        struct Place: Hashable {
            let peer: PeerID
            let exchange: Int
        }
        var entries: [JournalEntry] = []
        var places: [Place: Int] = [:]
        for (position, event) in events.enumerated() {
            let place = Place(peer: event.peer, exchange: event.exchange)
            switch event.kind {
            case .request, .violation: break
            case .requestBody, .answered, .faulted: if places[place] == nil { continue }
            case .accepted, .noted, .uploaded, .drew, .brokenOff, .closed, .exhausted, .abandoned, .startedOver,
                .tunnelled, .secureFailed:
                continue
            }
            let index = places[place] ?? entries.count
            if index == entries.count {
                places[place] = index
                let entry = JournalEntry(
                    number: numbers?[position] ?? index + 1, connection: event.peer.value, exchange: event.exchange + 1,
                    began: event.instant)
                entries.append(entry)
            }
            entries[index].add(event.kind, at: event.instant)
        }
        return entries
    }

    private mutating func add(_ kind: ServerEvent.Kind, at instant: Instant) {
        switch kind {
        case .request(let request):
            (host, method, target) = (request.host, request.method, request.target)
            (fields, lane) = (request.fields, request.lane)
        case .requestBody(let recorded): (body, bodyCount) = (recorded.prefix, recorded.count)
        case .answered(let status):
            self.status = status
            if kind.isFinalAnswer { answered = instant }
        case .faulted(let fault): faults.append("\(fault.effect) at \(fault.landmark)")
        case .violation(let violation): self.violation = violation
        default: break
        }
    }

    var json: [String: Any] {
        var members: [String: Any] = [
            "number": number, "connection": connection, "exchange": exchange, "method": method,
            "began": JournalEntry.microseconds(began), "target": Secrets.shown(target), "host": host,
            "bodyBytes": bodyCount,
            "fields": fields.list.map { JournalEntry.json($0) },
        ]
        if let answered { members["answered"] = JournalEntry.microseconds(answered) }
        if let lane { members["conn"] = lane }
        if let status { members["status"] = status }
        if !faults.isEmpty { members["faults"] = faults }
        if bodyCount > 0, let text = String(validating: body, as: UTF8.self) { members["body"] = shownText(text) }
        if let violation { members["violation"] = violation.text }
        return members
    }

    private static func microseconds(_ instant: Instant) -> Int { Int((instant - .zero) / .microseconds(1)) }

    /// Of credentials the journal keeps the scheme alone.
    private static func json(_ field: Fields.Field) -> [String: String] {
        let isKept = Secrets.isAuthorization(field.name)
        return ["name": field.name, "value": isKept ? field.value : Secrets.shown(field.value, ofField: field.name)]
    }

    /// Of what looks like JSON and cannot be read as it, such as a part of one or several in a row, lines that can be
    /// read are shown, and no others: who knows what is in them.
    private func shownText(_ text: String) -> String {
        let isJSON = text.utf8.first { $0 > ASCII.space }.map { "{[".utf8.contains($0) } ?? false
        guard isJSON, !JournalEntry.isJSON(text) else { return JournalEntry.shownBody(text) }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let shown = lines.map { line in
            line.isEmpty ? "" : JournalEntry.isJSON(line) ? JournalEntry.shownBody(String(line)) : Secrets.mark
        }
        return shown.joined(separator: "\n")
    }

    private static func isJSON(_ text: some StringProtocol) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil
    }

    /// A form's first item is one as those behind it are. In JSON the members are hidden that have names of secrets.
    private static func shownBody(_ text: String) -> String {
        guard let value = try? JSONSerialization.jsonObject(with: Data(text.utf8)) else {
            return String(Secrets.shown("?" + text).dropFirst())
        }
        let hidden = JournalEntry.hidden(value)
        guard hidden.isChanged,
            let data = try? JSONSerialization.data(withJSONObject: hidden.value, options: [.withoutEscapingSlashes])
        else { return Secrets.shown(text) }
        return Secrets.shown(String(decoding: data, as: UTF8.self))
    }

    /// Foundation's reader bounds how deep a text may nest.
    private static func hidden(_ value: Any) -> (value: Any, isChanged: Bool) {
        var isChanged = false
        if let members = value as? [String: Any] {
            var shown: [String: Any] = [:]
            for (name, value) in members {
                let isSecret = Secrets.isSecret(field: name)
                let inner = isSecret ? (value: Secrets.mark, isChanged: true) : hidden(value)
                shown[name] = inner.value
                isChanged = isChanged || inner.isChanged
            }
            return (shown, isChanged)
        }
        guard let list = value as? [Any] else { return (value, false) }
        let shown = list.map { value in
            let inner = hidden(value)
            isChanged = isChanged || inner.isChanged
            return inner.value
        }
        return (shown, isChanged)
    }
}
