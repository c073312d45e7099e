/// Faults as text: the words of a scenario file, which URLs of the cookbook use as well.
extension Fault.Landmark {
    /// `body+400000`, `idle+900ms`, `chunk[2].crlf`, `head-end`; nil for what is none.
    package static func read(_ text: String) -> Quantities.Parsed<Fault.Landmark>? {
        if let landmark = words.first(where: { $0.description == text }) ?? withIndex(text) { return .value(landmark) }
        return withAmount(text)
    }

    private static func withAmount(_ text: String) -> Quantities.Parsed<Fault.Landmark>? {
        guard let plus = text.firstIndex(of: "+") else { return nil }
        let amount = String(text[text.index(after: plus)...])
        let size = { Quantities.size(amount, allowsBare: true) }
        switch text[..<plus] {
        case "idle": return Quantities.duration(amount).map(Fault.Landmark.idle)
        case "request-body": return size().map(Fault.Landmark.requestBody)
        case "status-line": return size().map(Fault.Landmark.statusLine)
        case "head": return size().map(Fault.Landmark.head)
        case "body": return size().map(Fault.Landmark.body)
        default: return nil
        }
    }

    private static func withIndex(_ text: String) -> Fault.Landmark? {
        guard let open = text.firstIndex(of: "["), let close = text.firstIndex(of: "]"), open < close,
            case .value(let index) = Quantities.integer(String(text[text.index(after: open)..<close]))
        else { return nil }
        let word = text[..<open], rest = text[text.index(after: close)...]
        if word == "interim", rest.isEmpty { return .interim(index) }
        guard word == "chunk", rest.first == "." else { return nil }
        return ChunkPart(rawValue: String(rest.dropFirst())).map { .chunk(index, $0) }
    }
}
