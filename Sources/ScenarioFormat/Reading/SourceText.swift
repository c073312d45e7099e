import ServerScript

/// The text of a scenario file, by lines, for positions and excerpts.
package struct SourceText: Sendable {
    /// A file of more bytes is refused: scenarios are read by people.
    static let maximumBytes = 256 * 1024

    package let file: String
    let text: String
    /// Columns are counted in Unicode scalars, as libyaml counts them.
    private let lines: [[Unicode.Scalar]]

    package init(file: String, text: String) {
        self.file = file
        self.text = text
        lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.last == "\r" ? Array(line.dropLast()) : Array(line)
        }
    }

    /// Never behind the last line that people see: libyaml counts one behind the last line end, if there is one or not.
    package func mark(_ line: Int, _ column: Int) -> SourceMark {
        let count = lines.count > 1 && lines.last?.isEmpty == true ? lines.count - 1 : lines.count
        guard line > count, count > 0 else { return SourceMark(file: file, line: line, column: column) }
        return SourceMark(file: file, line: count, column: lines[count - 1].count + 1)
    }

    /// The text of a line, counted from 1.
    package func line(_ number: Int) -> String? {
        guard lines.indices.contains(number - 1) else { return nil }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: lines[number - 1])
        return String(view)
    }

    func scalar(at mark: SourceMark) -> Unicode.Scalar? {
        guard lines.indices.contains(mark.line - 1) else { return nil }
        let line = lines[mark.line - 1]
        return line.indices.contains(mark.column - 1) ? line[mark.column - 1] : nil
    }

    /// How far a caret at a quoted or plain scalar reaches, at most to the end of the line.
    func scalarLength(at mark: SourceMark, text: String) -> Int {
        guard let first = scalar(at: mark) else { return 1 }
        let line = lines[mark.line - 1]
        let rest = line.count - (mark.column - 1)
        guard first == "\"" || first == "'" else {
            return first == "|" || first == ">" ? 1 : max(1, min(text.unicodeScalars.count, rest))
        }
        var index = mark.column
        while index < line.count, line[index] != first {
            index += first == "\"" && line[index] == "\\" ? 2 : 1
        }
        return min(index + 1, line.count) - (mark.column - 1)
    }

    /// The length of the word at a position, for messages about values that kept only their mark.
    func wordLength(at mark: SourceMark) -> Int {
        guard lines.indices.contains(mark.line - 1) else { return 1 }
        let isWord = { (scalar: Unicode.Scalar) in
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-" || scalar == "_"
        }
        return max(1, lines[mark.line - 1].dropFirst(max(0, mark.column - 1)).prefix(while: isWord).count)
    }

    /// The last line that begins with a key, spaces aside; the first line if there is none.
    func mark(ofLast key: String) -> SourceMark {
        let wanted = Array(key.unicodeScalars)
        for (index, line) in lines.enumerated().reversed() {
            let indent = line.prefix { $0 == " " }.count
            if line[indent...].starts(with: wanted) { return mark(index + 1, indent + 1) }
        }
        return mark(1, 1)
    }

    /// The first place where a word stands in the file, the first line if nowhere.
    func mark(ofWord word: String) -> SourceMark {
        let wanted = Array(word.unicodeScalars)
        for (index, line) in lines.enumerated() where line.count >= wanted.count && !wanted.isEmpty {
            for start in 0...(line.count - wanted.count)
            where line[start..<start + wanted.count].elementsEqual(wanted) {
                return mark(index + 1, start + 1)
            }
        }
        return mark(1, 1)
    }
}
