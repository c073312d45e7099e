import HTTPBasics
import Judge
import NIOCore
import ScenarioFormat
import ServerScript

/// What the server read in a run with a cut, held against the run without it: the script is the same, and so is what
/// its client may ask for.
extension CutJudge {
    func wireFindings(_ observation: CaseObservation) -> [Finding] {
        (resends(observation) + strangers(observation) + malformed(observation)).map { wireFinding(.wire, $0) }
            + connections(observation).map { wireFinding(.connections, $0) }
    }

    private func wireFinding(_ kind: Finding.Kind, _ summary: String) -> Finding {
        Finding(kind, "\(Exploration.cut(rule)): \(summary)")
    }

    // MARK: Sent again

    /// It is unknown whether the first one was carried out (RFC 9110 9.2.2, BEHAVIOUR 2.F6).
    private func resends(_ observation: CaseObservation) -> [String] {
        // Slices and uploads that can be continued have leave to come again.
        guard !continuesUploads else { return [] }
        let before = baseline.unasked, own = ownLines
        return observation.unasked.sorted { $0.key < $1.key }.compactMap { line, count in
            guard count > max(before[line] ?? 0, own[line] ?? 0) else { return nil }
            let times = "\(Secrets.shown(line)) was sent \(count.counting("time"))"
            return "\(times): its method is not idempotent, and the caller did not repeat it"
        }
    }

    private var continuesUploads: Bool {
        scenarioCase.session.resumableUploads != nil || scenarioCase.tasks.contains { $0.sliced != nil }
    }

    /// How many tasks begin with each request line.
    private var ownLines: [String: Int] {
        scenarioCase.tasks.reduce(into: [:]) { lines, task in
            let url = baseline.origins.absolute(task.target, host: task.host).flatMap { URLReference($0) }
            let line = "\(HTTPMethod.inUsualCase(task.method)) \(url?.requestTarget ?? task.target)"
            lines[line, default: 0] += 1
        }
    }

    // MARK: Other requests

    /// Each request is one that is sent without the cut as well, or the first of a task that had no turn there.
    private func strangers(_ observation: CaseObservation) -> [String] {
        let known = WireMatch.requests(in: baseline.server), own = ownLines
        return WireMatch.requests(in: observation.server).compactMap { request in
            let twins = known.filter { $0.line == request.line && $0.head.host == request.head.host }
            let shown = Secrets.shown(request.line)
            guard !twins.isEmpty else { return own[request.line] == nil ? "a new request: \(shown)" : nil }
            guard !continuesUploads else { return nil }
            let differences = twins.map { request.difference(from: $0) }
            return differences.contains(nil) ? nil : differences[0].map { "\(shown): \($0)" }
        }
    }

    private func malformed(_ observation: CaseObservation) -> [String] {
        observation.server.compactMap { event in
            guard case .violation(let violation) = event.kind, violation.kind == .malformed else { return nil }
            return violation.summary
        }
    }

    /// One connection is cut, so one more may be opened.
    private func connections(_ observation: CaseObservation) -> [String] {
        let before = WireMatch.connections(in: baseline.server), now = WireMatch.connections(in: observation.server)
        return now > before + 1 ? ["\(now) connections, where there is \(before) without the cut"] : []
    }
}

extension WireRequest {
    /// Fields that say where a download goes on, and as whom.
    private static let varying: Set<String> = ["range", "if-range", "authorization", "proxy-authorization"]

    /// Of the body a beginning may have arrived, in either run.
    fileprivate func difference(from other: WireRequest) -> String? {
        let (now, before) = (fixedFields, other.fixedFields)
        if let field = now.first(where: { !before.contains($0) }) { return "another field \(Self.shown(field))" }
        if let field = before.first(where: { !now.contains($0) }) { return "the field \(Self.shown(field)) is missing" }
        guard let sent = body?.prefix, let whole = other.body?.prefix else { return nil }
        return sent.starts(with: whole.prefix(sent.count)) ? nil : "another body"
    }

    private var fixedFields: [Fields.Field] {
        head.fields.list.filter { !WireRequest.varying.contains($0.name.lowercased()) }
    }

    private static func shown(_ field: Fields.Field) -> String {
        "\(field.name): \(Secrets.shown(field.value, ofField: field.name))"
    }
}

extension CaseObservation {
    /// How often each request went out whose method is not idempotent, without those that a challenge asked for.
    fileprivate var unasked: [String: Int] {
        var counts: [String: Int] = [:], current: [PeerID: String] = [:], asked: Set<String> = []
        for event in server {
            switch event.kind {
            case .request(let head) where !HTTPMethod.isIdempotent(head.method) && head.method != "CONNECT":
                let line = "\(head.method) \(head.target)"
                current[event.peer] = line
                if asked.remove(line) == nil { counts[line, default: 0] += 1 }
            case .request: current[event.peer] = nil
            case .answered(401), .answered(407):
                if let line = current[event.peer] { asked.insert(line) }
            default: break
            }
        }
        return counts
    }
}
