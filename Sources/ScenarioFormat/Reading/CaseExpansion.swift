import ServerScript

/// `cases:` rows times `matrix:` dimensions, each with a name and the values of its variables.
struct CaseExpansion {
    static let maximumCases = 500

    struct Row {
        var name: String?
        var mark: SourceMark
        var values: [SourceNode.Entry]
    }

    private let log: DiagnosticLog

    init(log: DiagnosticLog) { self.log = log }

    /// At least one row; a file without `cases:` and `matrix:` has one without a name.
    func rows(cases: SourceNode?, matrix: SourceNode?, fileMark: SourceMark) -> [Row] {
        let written = cases.map(rows(of:)) ?? []
        let products = matrix.map(products(of:)) ?? []
        if written.isEmpty, products.isEmpty { return [Row(name: nil, mark: fileMark, values: [])] }
        guard !products.isEmpty else { return unique(written) }
        guard !written.isEmpty else { return unique(products) }
        guard written.count * products.count <= CaseExpansion.maximumCases else {
            return tooMany(at: matrix ?? .broken(at: fileMark))
        }
        return unique(
            written.flatMap { row in
                products.map { product in
                    let name = [row.name, product.name].compactMap { $0 }.joined(separator: "-")
                    return Row(name: name, mark: row.mark, values: row.values + product.values)
                }
            })
    }

    private func tooMany(at node: SourceNode) -> [Row] {
        log.error("more than \(CaseExpansion.maximumCases) cases", at: node)
        return []
    }

    // MARK: - Rows

    private func rows(of node: SourceNode) -> [Row] {
        guard let items = node.items, !items.isEmpty else {
            if !node.isBroken { log.error("'cases' must be a list of rows, not \(node.summary)", at: node) }
            return []
        }
        guard items.count <= CaseExpansion.maximumCases else { return tooMany(at: node) }
        var rows: [Row] = []
        for item in items {
            guard let entries = item.entries else {
                if !item.isBroken { log.error("a row of 'cases' must be a map, not \(item.summary)", at: item) }
                continue
            }
            let values = entries.filter { $0.key != "name" && isVariable($0) }
            let written = item.value(of: "name").flatMap(writtenName)
            rows.append(Row(name: written, mark: item.mark, values: values))
        }
        return named(rows)
    }

    private func isVariable(_ entry: SourceNode.Entry) -> Bool {
        if Variables.isName(entry.key) { return true }
        log.error("'\(entry.key)' cannot be a variable", at: entry.keyNode, remedy: "letters, digits, '-' and '_'")
        return false
    }

    private func writtenName(_ node: SourceNode) -> String? {
        guard let text = node.scalar else {
            if !node.isBroken { log.error("a case's name must be text, not \(node.summary)", at: node) }
            return nil
        }
        let name = CaseExpansion.dashed(text)
        if name.isEmpty { log.error("a case's name needs a letter or digit", at: node) }
        return name.isEmpty ? nil : name
    }

    /// Rows without a name are called after their first values: as many as it takes to tell the rows apart.
    private func named(_ rows: [Row]) -> [Row] {
        let widest = rows.map(\.values.count).max() ?? 0
        var names: [String?] = rows.map(\.name)
        for width in 1...max(1, widest) {
            names = rows.map { row in row.name ?? name(from: row.values.prefix(width)) }
            if Set(names).count == rows.count { break }
        }
        return zip(rows, names).map { row, name in
            if name == nil, !row.values.contains(where: \.value.isBroken) {
                log.add(.error, "this row needs a name", at: row.mark, remedy: "name: what is special about it")
            }
            return Row(name: name, mark: row.mark, values: row.values)
        }
    }

    private func name(from values: some Sequence<SourceNode.Entry>) -> String? {
        let parts = values.compactMap { $0.value.scalar }.map(CaseExpansion.dashed).filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: "-")
    }

    // MARK: - Matrix

    private func products(of node: SourceNode) -> [Row] {
        guard let entries = node.entries, !entries.isEmpty else {
            if !node.isBroken { log.error("'matrix' must be a map of lists, not \(node.summary)", at: node) }
            return []
        }
        var rows = [Row(name: nil, mark: node.mark, values: [])]
        for entry in entries where isVariable(entry) {
            guard let items = entry.value.items, !items.isEmpty else {
                if !entry.value.isBroken {
                    log.error("'\(entry.key)' must be a list of values, not \(entry.value.summary)", at: entry.value)
                }
                continue
            }
            guard rows.count * items.count <= CaseExpansion.maximumCases else { return tooMany(at: node) }
            rows = rows.flatMap { row in
                items.enumerated().map { index, item in
                    let part = CaseExpansion.dashed(item.scalar ?? "")
                    let label = part.isEmpty ? "\(entry.key)-\(index + 1)" : part
                    let name = [row.name, label].compactMap { $0 }.joined(separator: "-")
                    var values = row.values
                    values.append(SourceNode.Entry(key: entry.key, keyNode: entry.keyNode, value: item))
                    return Row(name: name, mark: item.mark, values: values)
                }
            }
        }
        return rows
    }

    // MARK: - Names

    private func unique(_ rows: [Row]) -> [Row] {
        var seen: [String: SourceMark] = [:]
        for row in rows {
            guard let name = row.name else { continue }
            if let first = seen[name] {
                let message = "two cases are called '\(name)' (first in line \(first.line))"
                log.add(.error, message, at: row.mark, remedy: "give each row a 'name:' of its own")
            } else {
                seen[name] = row.mark
            }
        }
        return rows
    }

    /// Case names are a part of an id: one word of letters, digits and `. _ + = -`.
    static func dashed(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(80) {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "+", "=": result.unicodeScalars.append(scalar)
            default: if !result.isEmpty, result.last != "-" { result.append("-") }
            }
        }
        while result.last == "-" { result.removeLast() }
        return result
    }
}
