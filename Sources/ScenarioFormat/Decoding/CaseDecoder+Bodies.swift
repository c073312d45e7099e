import HTTPBasics
import ServerScript

extension CaseDecoder {
    /// Generated content may be huge, but compressing needs it whole.
    private static let largestCompressed = 64 << 20

    /// `bodies:`; a later body may use an earlier one, so there are no cycles.
    func decodeBodies(_ node: SourceNode) {
        guard let entries = node.entries else {
            let _: Bool? = session.wrong(node, expected: "a map of bodies")
            return
        }
        for entry in entries {
            if !Variables.isName(entry.key) || entry.key == "none" {
                let remedy = "a letter, then letters, digits, '-' and '_'; not 'none'"
                log.error("'\(entry.key)' cannot be the name of a body", at: entry.keyNode, remedy: remedy)
            }
            let content = entry.value.isMapping ? definition(entry.value) : literal(entry.value)
            bodies.append((entry.key, content))
        }
    }

    /// Where a body is used: the name of a body, `none`, text, or a map. Nil means none.
    func body(_ node: SourceNode) -> Content? {
        if node.isMapping { return definition(node) }
        guard let plain = node.plain else { return literal(node) }
        if plain == "none" { return nil }
        if let named = bodies.first(where: { $0.name == plain }) {
            usedBodies.insert(plain)
            return named.content
        }
        if let nearest = Suggestion.nearest(to: plain, among: bodies.map(\.name)) {
            let message = "'\(plain)' is no body's name, so it is the text itself"
            log.warning(message, at: node, remedy: "did you mean '\(nearest)'? quote it if text is meant")
        }
        return literal(node)
    }

    /// A rule for a body: `body`, `body-prefix-of`, or nothing.
    func bodyRule(_ map: MappingReader) -> RequestMatch.BodyRule? {
        let key = map.only(of: ["body", "body-prefix-of"])
        let whole = map.value("body"), prefix = map.value("body-prefix-of")
        switch key {
        case "body":
            return whole.map { node in
                if let demand = bodyDemand(node) { return demand }
                guard let content = body(node) else { return RequestMatch.BodyRule.none }
                return .equals(content)
            }
        case "body-prefix-of": return prefix.map { .prefix(of: body($0) ?? .empty) }
        default: return nil
        }
    }

    private func literal(_ node: SourceNode) -> Content {
        .text(session.text(node, what: "text, a body's name or a map") ?? "")
    }

    private func definition(_ node: SourceNode) -> Content {
        guard let map = session.map(node, .bodyDefinition) else { return .empty }
        let kinds = [
            "text", "json", "hex", "pattern", "file", "gzip-of", "deflate-of", "raw-deflate-of", "brotli-of", "zstd-of",
        ]
        guard let kind = map.only(of: kinds) else {
            map.missing("a body needs one of \(kinds.joined(separator: ", "))")
            return .empty
        }
        for key in ["size", "seed", "byte"] where kind != "pattern" && map.has(key) {
            log.error("'\(key)' goes with 'pattern'", at: map.keyNode(key))
        }
        if !kind.hasSuffix("-of"), map.has("damage") {
            log.error("'damage' goes with a compressed body", at: map.keyNode("damage"))
        }
        switch kind {
        case "text": return .text(map.text("text") ?? "")
        case "json": return .text(map.value("json").flatMap(json)?.text ?? "")
        case "hex": return .bytes(map.value("hex").map(hexBytes) ?? [])
        case "pattern": return pattern(map)
        case "file": return map.value("file").flatMap(file) ?? .empty
        case "gzip-of": return compressed(map, kind, .gzip)
        case "deflate-of": return compressed(map, kind, .deflate)
        case "brotli-of": return compressed(map, kind, .brotli)
        case "zstd-of": return compressed(map, kind, .zstd)
        default: return compressed(map, kind, .rawDeflate)
        }
    }

    private func pattern(_ map: MappingReader) -> Content {
        if !map.has("size") { map.missing("a 'pattern' needs a 'size'") }
        let size = map.value("size").flatMap(session.size) ?? 0
        let seed = map.count("seed", in: 0...Int.max), byte = map.count("byte", in: 0...255)
        let word = map.word("pattern")
        if word != "random", map.has("seed") {
            log.error("'seed' goes with 'pattern: random'", at: map.keyNode("seed"))
        }
        if word != "fill", map.has("byte") { log.error("'byte' goes with 'pattern: fill'", at: map.keyNode("byte")) }
        switch word {
        case "random": return .random(seed: UInt64(seed ?? 0), size: size)
        case "fill": return .fill(UInt8(byte ?? 0), size: size)
        default: return .counter(size: size)
        }
    }

    private func compressed(_ map: MappingReader, _ key: String, _ coding: Content.Coding) -> Content {
        let damage = map.word("damage", as: Content.Damage.self)
        if let damage, !coding.legalDamages.contains(damage) {
            let message = "'\(key)' makes no \(damage.rawValue) that could be wrong"
            let remedy = "only gzip has both, zlib's frame and zstd have a checksum"
            log.error(message, at: map.keyNode("damage"), remedy: remedy)
        }
        if let system = coding.system, !session.codings.contains(system) {
            let remedy = "write 'needs: {codings: [\(system.rawValue)]}'"
            log.error("'\(key)' takes libraries that not every machine has", at: map.keyNode(key), remedy: remedy)
        }
        guard let node = map.value(key), let content = body(node) else { return .compressed(.empty, coding) }
        if let size = content.plainSize, size > CaseDecoder.largestCompressed {
            log.error("compressing more than 64MiB is not supported", at: node)
            return .empty
        }
        return .compressed(content, coding, damage)
    }

    private func file(_ node: SourceNode) -> Content? {
        guard let path = session.text(node, what: "a file name") else { return nil }
        session.noteBodyFile(path)
        switch BodyFileReader.read(path, in: session.folder) {
        case .bytes(let bytes): return .bytes(bytes)
        case .refused(let reason):
            log.error("'\(path)' \(reason)", at: node)
            return nil
        }
    }

    /// Pairs of hexadecimal digits; spaces between them are ignored.
    func hexBytes(_ node: SourceNode) -> [UInt8] {
        guard let text = session.text(node, what: "hexadecimal digits") else { return [] }
        let digits = text.utf8.filter { $0 != ASCII.space && $0 != ASCII.lineFeed }
        let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard values.count == digits.count, values.count.isMultiple(of: 2) else {
            log.error("'\(text)' is not pairs of hexadecimal digits", at: node)
            return []
        }
        return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }

    /// Text or `{hex: ...}`, sent as it is.
    func rawBytes(_ node: SourceNode) -> [UInt8] {
        guard node.isMapping else { return Array((session.text(node) ?? "").utf8) }
        guard let map = session.map(node, .rawBytes) else { return [] }
        let text = map.text("text"), hex = map.value("hex")
        guard let key = map.only(of: ["text", "hex"]) else {
            map.missing("raw bytes need 'text' or 'hex'")
            return []
        }
        return key == "text" ? Array((text ?? "").utf8) : hex.map(hexBytes) ?? []
    }
}
