import ServerScript

/// One value of a file, with the place where it was written.
struct SourceNode {
    struct Entry {
        var key: String
        var keyNode: SourceNode
        var value: SourceNode
    }

    enum Shape {
        /// Plain scalars may be words, numbers and names; quoted ones are always text.
        case scalar(String, isPlain: Bool)
        case sequence([SourceNode])
        case mapping([Entry])
        /// A mistake here has been reported already.
        case broken
    }

    var content: Shape
    let mark: SourceMark
    var length: Int
    /// The variable that this value came from.
    var variable: String?
    /// Nodes at and below this one, saturated: substitution may multiply them.
    let weight: Int
    /// Levels at and below this one.
    let height: Int

    init(_ content: Shape, mark: SourceMark, length: Int = 1) {
        self.content = content
        self.mark = mark
        self.length = length
        var weight = 1, height = 1
        let grow = { (node: SourceNode) in
            weight = min(weight, Int.max / 2) + min(node.weight, Int.max / 4)
            height = max(height, node.height + 1)
        }
        switch content {
        case .scalar, .broken: break
        case .sequence(let items): items.forEach(grow)
        case .mapping(let entries): entries.forEach { grow($0.value) }
        }
        self.weight = weight
        self.height = height
    }

    static func broken(at mark: SourceMark) -> SourceNode { SourceNode(.broken, mark: mark) }

    var isBroken: Bool {
        if case .broken = content { return true }
        return false
    }

    var isMapping: Bool {
        if case .mapping = content { return true }
        return false
    }

    /// The text of a scalar, quoted or not.
    var scalar: String? {
        if case .scalar(let text, _) = content { return text }
        return nil
    }

    /// The text of a scalar without quotes.
    var plain: String? {
        if case .scalar(let text, true) = content { return text }
        return nil
    }

    var entries: [Entry]? {
        if case .mapping(let entries) = content { return entries }
        return nil
    }

    var items: [SourceNode]? {
        if case .sequence(let items) = content { return items }
        return nil
    }

    func value(of key: String) -> SourceNode? { entries?.first { $0.key == key }?.value }

    /// `a map`, `a list` or `'text'`, for messages.
    var summary: String {
        switch content {
        case .scalar(let text, _):
            let short = text.unicodeScalars.prefix(40)
            return "'\(String(String.UnicodeScalarView(short)))\(short.count < text.unicodeScalars.count ? "…" : "")'"
        case .sequence: return "a list"
        case .mapping: return "a map"
        case .broken: return "nothing"
        }
    }
}
