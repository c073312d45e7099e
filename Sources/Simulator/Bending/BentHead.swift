import HTTPBasics
import NIOCore
import ServerScript

/// A head, line by line, read as leniently as it can be, whatever it means.
package struct BentHead {
    package struct Line {
        /// In small letters; that of the first line is `status`, that of the empty one is empty.
        package fileprivate(set) var name: String
        /// The line up to the value: the name as it is written, colon and blanks.
        fileprivate var before: [UInt8]
        fileprivate var value: [UInt8]
        fileprivate var ending: [UInt8]

        /// Where in the value runs of digits lie.
        package var numbers: [Range<Int>] {
            var runs: [Range<Int>] = []
            for index in value.indices where ASCII.isDigit(value[index]) {
                if let last = runs.last, last.upperBound == index {
                    runs[runs.count - 1] = last.lowerBound..<index + 1
                } else {
                    runs.append(index..<index + 1)
                }
            }
            return runs
        }

        var bytes: [UInt8] { before + value + ending }
    }

    package static let statusName = "status"
    private static let hugeValue = [UInt8](repeating: UInt8(ascii: "a"), count: 64 << 10)

    package private(set) var lines: [Line]

    init(_ bytes: ByteBuffer) {
        lines = []
        for line in bytes.readableBytesView.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false) {
            let ending = line.last == ASCII.carriageReturn ? [ASCII.carriageReturn, ASCII.lineFeed] : [ASCII.lineFeed]
            lines.append(BentHead.line(Array(line.dropLast(ending.count - 1)), ending, isFirst: lines.isEmpty))
        }
        // Behind the last line feed nothing follows.
        if lines.last?.bytes == [ASCII.lineFeed] { lines.removeLast() }
    }

    var bytes: [UInt8] { lines.flatMap(\.bytes) }

    private static func line(_ text: [UInt8], _ ending: [UInt8], isFirst: Bool) -> Line {
        if isFirst { return Line(name: statusName, before: [], value: text, ending: ending) }
        guard let colon = text.firstIndex(of: ASCII.colon) else {
            return Line(name: "", before: [], value: text, ending: ending)
        }
        let start = text[(colon + 1)...].firstIndex { $0 != ASCII.space && $0 != ASCII.tab } ?? text.endIndex
        let name = String(decoding: text[..<colon].map(ASCII.lowercased), as: UTF8.self)
        return Line(name: name, before: Array(text[..<start]), value: Array(text[start...]), ending: ending)
    }

    // MARK: Changes

    /// What is not there is left as it is: another bend may have taken it away.
    mutating func apply(_ change: Bend.Change) {
        switch change {
        case .code(let code): replace(number: 2, of: BentHead.statusName) { _ in "\(code)" }
        case .number(let name, let index, let edge): replace(number: index, of: name) { edge.text(of: $0) }
        case .field(let name, let change): apply(change, to: name)
        case .added(let field, let edge): add(field.line(edge))
        case .bomb, .chunkSize, .flip, .swap: return
        }
    }

    /// A line more at the end of the head.
    mutating func add(_ text: String) {
        let place = lines.lastIndex { $0.bytes.allSatisfy { $0 == ASCII.carriageReturn || $0 == ASCII.lineFeed } }
        let line = BentHead.line(Array(text.utf8), [ASCII.carriageReturn, ASCII.lineFeed], isFirst: false)
        lines.insert(line, at: place ?? lines.endIndex)
    }

    mutating func remove(_ name: String) { lines.removeAll { $0.name == name } }

    private mutating func replace(number: Int, of name: String, by text: (String) -> String) {
        for index in lines.indices where lines[index].name == name {
            let runs = lines[index].numbers
            guard runs.indices.contains(number) else { continue }
            let old = String(decoding: lines[index].value[runs[number]], as: UTF8.self)
            lines[index].value.replaceSubrange(runs[number], with: text(old).utf8)
            return
        }
    }

    private mutating func apply(_ change: FieldChange, to name: String) {
        guard let index = lines.firstIndex(where: { $0.name == name }), name != BentHead.statusName else { return }
        switch change {
        case .doubled: lines.insert(lines[index], at: index)
        case .contradicted:
            var other = lines[index]
            if let last = other.numbers.last {
                let old = String(decoding: other.value[last], as: UTF8.self)
                other.value.replaceSubrange(last, with: NumberEdge.oneMore.text(of: old).utf8)
            } else {
                other.value.append(UInt8(ascii: "x"))
            }
            lines.insert(other, at: index + 1)
        case .emptied: lines[index].value = []
        case .removed: remove(name)
        case .huge: lines[index].value += BentHead.hugeValue
        }
    }
}
