import HTTPBasics

/// Reads a regular expression: characters, `.`, classes, `\d \w \s \b`, groups, `|`, `* + ? {2,5}`, `^ $`, and `(?i)`
/// at the beginning. What would need to go back over a text (`\1`, `(?=...)`) is refused.
struct PatternReader {
    private static let depthLimit = 32
    private static let otherGroup =
        "only (?:...) and (?<name>...) are groups here, nothing looks ahead or behind"
    /// How often a part may be demanded by a number.
    private static let countLimit = 1000

    private let scalars: [UInt32]
    private var index = 0
    private var depth = 0
    private var ignoresCase = false

    init(_ source: String) { scalars = source.unicodeScalars.map(\.value) }

    mutating func read() throws(PatternMistake) -> PatternNode {
        if starts(with: "(?i)") {
            ignoresCase = true
            index += 4
        }
        let node = try choice()
        if index < scalars.count { throw mistake("a ')' that closes nothing") }
        return node
    }

    private func mistake(_ text: String, at offset: Int? = nil) -> PatternMistake {
        PatternMistake(text: text, offset: offset ?? index)
    }

    private func starts(with text: String) -> Bool {
        scalars[index...].starts(with: text.unicodeScalars.lazy.map(\.value))
    }

    private var next: Unicode.Scalar? { index < scalars.count ? Unicode.Scalar(scalars[index]) : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        index += 1
        return true
    }

    // MARK: - Parts

    private mutating func choice() throws(PatternMistake) -> PatternNode {
        var branches = [try sequence()]
        while take("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() throws(PatternMistake) -> PatternNode {
        var parts: [PatternNode] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            let begin = index
            parts.append(try counted(try part(), from: begin))
        }
        return parts.isEmpty ? .empty : parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func part() throws(PatternMistake) -> PatternNode {
        let begin = index
        guard let scalar = next else { return .empty }
        let isCount = count() != nil
        index += 1
        switch scalar {
        case "(": return try group(begin)
        case "[": return .set(try set(begin))
        case "\\": return try escape(begin)
        case ".": return .set(.any)
        case "^": return .start
        case "$": return .end
        case "*", "+", "?": throw mistake("a '\(scalar)' with nothing before it", at: begin)
        case "{" where isCount: throw mistake("a count with nothing before it", at: begin)
        default: return .set(cased(ScalarSet(ranges: [scalar.value...scalar.value])))
        }
    }

    private func cased(_ set: ScalarSet) -> ScalarSet { ignoresCase ? set.ignoringCase : set }

    private mutating func group(_ begin: Int) throws(PatternMistake) -> PatternNode {
        if take("?") {
            if take("<") {
                guard let end = scalars[index...].firstIndex(of: 62), end > index,
                    scalars[index..<end].allSatisfy({ ScalarSet.word.contains($0) })
                else { throw mistake(PatternReader.otherGroup, at: begin) }
                index = end + 1
            } else if !take(":") {
                throw mistake(PatternReader.otherGroup, at: begin)
            }
        }
        depth += 1
        guard depth <= PatternReader.depthLimit else { throw mistake("groups within groups, more than 32", at: begin) }
        let node = try choice()
        depth -= 1
        guard take(")") else { throw mistake("a '(' that is not closed", at: begin) }
        return node
    }

    // MARK: - Counts

    private mutating func counted(_ node: PatternNode, from begin: Int) throws(PatternMistake) -> PatternNode {
        var range: (least: Int, most: Int?)
        switch next {
        case "*": range = (0, nil)
        case "+": range = (1, nil)
        case "?": range = (0, 1)
        case "{":
            guard let (count, end) = count() else { return node }
            range = count
            index = end - 1
        default: return node
        }
        index += 1
        switch node {
        case .start, .end, .boundary: throw mistake("a place cannot be repeated", at: begin)
        default: break
        }
        if let most = range.most, most < range.least { throw mistake("a count from more to less", at: begin) }
        guard max(range.least, range.most ?? 0) <= PatternReader.countLimit else {
            throw mistake("a count of more than \(PatternReader.countLimit)", at: begin)
        }
        // As few as possible or as many: whether it is found is the same.
        if take("?") { return .times(node, least: range.least, most: range.most) }
        switch next {
        case "*", "+", "?": throw mistake("a count of a count")
        case "{" where count() != nil: throw mistake("a count of a count")
        default: return .times(node, least: range.least, most: range.most)
        }
    }

    /// `{2}`, `{2,}` or `{2,5}` here; anything else is just a brace.
    private func count() -> (range: (least: Int, most: Int?), end: Int)? {
        // Two numbers of nine digits and a comma: no further brace is looked for.
        guard next == "{", let end = scalars[index...].prefix(21).firstIndex(of: 125) else { return nil }
        let halves = scalars[(index + 1)..<end].split(separator: 44, omittingEmptySubsequences: false)
        let numbers = halves.map { half in
            half.count <= 9 ? DecimalNumber.parse(half.lazy.map { UInt8(truncatingIfNeeded: $0 < 128 ? $0 : 0) }) : nil
        }
        guard (1...2).contains(halves.count), let least = numbers[0] else { return nil }
        if halves.count == 1 { return ((Int(least), Int(least)), end + 1) }
        if halves[1].isEmpty { return ((Int(least), nil), end + 1) }
        return numbers[1].map { ((Int(least), Int($0)), end + 1) }
    }

    // MARK: - Classes and escapes

    private mutating func escape(_ begin: Int) throws(PatternMistake) -> PatternNode {
        switch next {
        case "b", "B":
            let isThere = next == "b"
            index += 1
            return .boundary(isThere)
        default: return .set(cased(try escapedSet(begin)))
        }
    }

    private mutating func escapedSet(_ begin: Int) throws(PatternMistake) -> ScalarSet {
        guard let scalar = next else { throw mistake("a '\\' with nothing behind it", at: begin) }
        index += 1
        switch scalar {
        case "d": return .digits
        case "D": return ScalarSet.digits.inverted
        case "w": return .word
        case "W": return ScalarSet.word.inverted
        case "s": return .blanks
        case "S": return ScalarSet.blanks.inverted
        case "t": return ScalarSet(ranges: [9...9])
        case "n": return ScalarSet(ranges: [10...10])
        case "r": return ScalarSet(ranges: [13...13])
        case "x": return try hexadecimal(begin)
        case _ where scalar.isASCII && scalar.properties.numericType != nil:
            throw mistake("a group cannot be asked for again", at: begin)
        case _ where scalar.isASCII && scalar.properties.isAlphabetic:
            throw mistake("'\\\(scalar)' means nothing", at: begin)
        default: return ScalarSet(ranges: [scalar.value...scalar.value])
        }
    }

    private mutating func hexadecimal(_ begin: Int) throws(PatternMistake) -> ScalarSet {
        let digits = scalars[index...].prefix(2).compactMap { $0 < 128 ? ASCII.hexValue(UInt8($0)) : nil }
        guard digits.count == 2 else { throw mistake("'\\x' has two hexadecimal digits", at: begin) }
        index += 2
        let value = UInt32(digits[0]) << 4 | UInt32(digits[1])
        return ScalarSet(ranges: [value...value])
    }

    private mutating func set(_ begin: Int) throws(PatternMistake) -> ScalarSet {
        var set = ScalarSet(ranges: [])
        let isInverted = take("^")
        var isFirst = true
        while isFirst || next != "]" {
            isFirst = false
            guard next != nil else { throw mistake("a '[' that is not closed", at: begin) }
            let low = try member(begin)
            guard next == "-", index + 1 < scalars.count, scalars[index + 1] != 93 else {
                set.ranges += low.plainRanges
                continue
            }
            index += 1
            let high = try member(begin)
            guard let first = low.single, let last = high.single, first <= last else {
                throw mistake("a range of characters goes from one to a later one", at: begin)
            }
            set.ranges.append(first...last)
        }
        index += 1
        set = cased(set)
        set.isInverted = isInverted
        return set
    }

    private mutating func member(_ begin: Int) throws(PatternMistake) -> ScalarSet {
        if take("\\") { return try escapedSet(begin) }
        guard let scalar = next else { throw mistake("a '[' that is not closed", at: begin) }
        index += 1
        return ScalarSet(ranges: [scalar.value...scalar.value])
    }
}

extension ScalarSet {
    fileprivate var single: UInt32? {
        guard !isInverted, ranges.count == 1, ranges[0].count == 1 else { return nil }
        return ranges[0].lowerBound
    }
}
