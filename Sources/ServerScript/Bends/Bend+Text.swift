extension Bend.Change: CustomStringConvertible {
    package init?(_ text: String) {
        if let change = Bend.Change.place(text) ?? Bend.Change.line(text) { self = change } else { return nil }
    }

    package var description: String {
        switch self {
        case .code(let code): return "code=\(code)"
        case .number(let name, let index, let edge): return "\(name).\(index)=\(edge.rawValue)"
        case .chunkSize(let index, let edge): return "chunk.\(index)=\(edge.rawValue)"
        case .field(let name, let change): return "\(name)~\(change.rawValue)"
        case .added(let field, let edge): return "+\(field.rawValue)=\(edge.rawValue)"
        case .bomb(let bomb): return "bomb=\(bomb.rawValue)"
        case .flip(let offset, let bit): return "flip=\(offset).\(bit)"
        case .swap(let offset, let count): return "swap=\(offset).\(count)"
        }
    }

    /// What is at a place of the bytes, or takes the place of all.
    private static func place(_ text: String) -> Bend.Change? {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let numbers = parts[1].split(separator: ".", omittingEmptySubsequences: false).map(Bend.number)
        switch parts[0] {
        case "code":
            guard let code = Bend.number(parts[1]), code <= 999 else { return nil }
            return .code(code)
        case "bomb": return Bomb(rawValue: String(parts[1])).map(Bend.Change.bomb)
        case "flip":
            guard numbers.count == 2, let offset = numbers[0], let bit = numbers[1], bit < 8 else { return nil }
            return .flip(offset, bit: bit)
        case "swap":
            guard numbers.count == 2, let offset = numbers[0], let count = numbers[1],
                count > 0, count <= Bend.mostSwapped
            else { return nil }
            return .swap(offset, count: count)
        default: return nil
        }
    }

    /// What a line of the framing becomes.
    private static func line(_ text: String) -> Bend.Change? {
        if let tilde = text.firstIndex(of: "~") {
            guard let change = FieldChange(rawValue: String(text[text.index(after: tilde)...])) else { return nil }
            let name = String(text[..<tilde])
            return isName(name) ? .field(name, change) : nil
        }
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let edge = NumberEdge(rawValue: String(parts[1])) else { return nil }
        if parts[0].hasPrefix("+") {
            return AddedField(rawValue: String(parts[0].dropFirst())).map { .added($0, edge) }
        }
        let place = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        guard place.count == 2, let index = Bend.number(place[1]), isName(String(place[0])) else { return nil }
        return place[0] == "chunk" ? .chunkSize(index, edge) : .number(String(place[0]), index: index, edge)
    }

    /// Whether a field of this name can be named in a bend: small letters, digits and hyphens.
    package static func isName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { $0 >= 97 && $0 <= 122 || $0 >= 48 && $0 <= 57 || $0 == 45 }
    }
}
