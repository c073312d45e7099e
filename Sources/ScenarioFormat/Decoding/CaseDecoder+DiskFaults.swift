import MachineContract
import ServerScript

/// Faults of the disk: where and what, as for those of the server.
extension CaseDecoder {
    func diskFault(_ node: SourceNode) -> DiskFault? {
        guard let map = session.map(node, .diskFault) else { return nil }
        let landmark = map.value("at").flatMap(diskLandmark), effect = map.value("do").flatMap(diskEffect)
        guard let landmark, let effect else { return nil }
        if effect == .altered {
            guard case .read = landmark else {
                map.value("do").map { log.error("only what is read can be altered", at: $0, remedy: "at: read+40000") }
                return nil
            }
        }
        return DiskFault(at: landmark, do: effect)
    }

    private func diskLandmark(_ node: SourceNode) -> DiskFault.Landmark? {
        guard let text = session.text(node, what: "a place such as write+40000") else { return nil }
        switch text {
        case "open": return .open
        case "close": return .close
        case "write": return .write(from: 0)
        case "read": return .read(from: 0)
        default: break
        }
        let isRead = text.hasPrefix("read+")
        guard isRead || text.hasPrefix("write+") else {
            log.error(
                "'\(text)' is no place in the life of a file", at: node,
                remedy: "open, write+40000, close or read+40000")
            return nil
        }
        switch Quantities.size(String(text.dropFirst(isRead ? 5 : 6)), allowsBare: true) {
        case .value(let size): return isRead ? .read(from: Int64(size)) : .write(from: Int64(size))
        case .wrong(let reason): log.error("'\(text)' \(reason)", at: node)
        }
        return nil
    }

    private func diskEffect(_ node: SourceNode) -> DiskFault.Effect? {
        if node.isMapping { return session.map(node, .effect)?.duration("delay").map { .delay($0) } }
        let word = session.word(node, among: DiskFault.words.map(\.word))
        return DiskFault.words.first { $0.word == word }?.effect
    }
}

extension DiskFault {
    /// The effects that have a word of their own.
    static let words: [(word: String, effect: Effect)] = [
        ("full", .full), ("denied", .denied), ("broken", .broken), ("altered", .altered),
    ]
}
