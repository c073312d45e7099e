import HTTPBasics
import ScenarioFormat
import ServerScript

/// Transactions with one property made wrong.
enum TransactionMutants {
    static func all(of match: TransactionMatch) -> [(change: String, transaction: TransactionMatch)] {
        var found: [(String, TransactionMatch)] = []
        func add(_ change: String, _ mutate: (inout TransactionMatch) -> Void) {
            var other = match
            mutate(&other)
            found.append((change, other))
        }
        if let request = match.request { add("another request") { $0.request = request + "x" } }
        switch match.status {
        case .exactly(let status): add("another status") { $0.status = .exactly(status + 1) }
        case TransactionMatch.Status.none?: add("a status") { $0.status = .exactly(200) }
        case nil: break
        }
        if let isReused = match.isReused { add("the opposite of reused") { $0.isReused = !isReused } }
        if let source = match.source { add("another source") { $0.source = source == "cache" ? "network" : "cache" } }
        if let family = match.family { add("another family") { $0.family = family == "v6" ? "v4" : "v6" } }
        if let name = match.protocolName { add("another protocol") { $0.protocolName = name + "x" } }
        for (name, path) in [("", \TransactionMatch.phases), ("unfinished ", \.unfinished)] {
            guard let phases = match[keyPath: path] else { continue }
            for (index, phase) in phases.enumerated() {
                add("no \(name)\(phase.rawValue)") { $0[keyPath: path]?.remove(at: index) }
            }
            if phases.isEmpty { add("another \(name)phase") { $0[keyPath: path] = [.lookup] } }
        }
        for path in [\TransactionMatch.sent, \.sentPlain, \.received, \.receivedPlain] {
            if let bytes = match[keyPath: path] { add("another number of bytes") { $0[keyPath: path] = bytes + 1 } }
        }
        return found
    }
}
