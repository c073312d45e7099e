import ServerScript

/// One mistake in a scenario file, or something to be known of it: where, what, and how to mend it.
package struct Diagnostic: Hashable, Sendable {
    /// A note tells what is to be known, and nothing is to be mended.
    package enum Severity: String, Hashable, Sendable { case error, warning, note }

    package var severity: Severity
    /// Line 0 means the file as a whole.
    package var mark: SourceMark
    /// How many characters the caret underlines.
    package var length: Int
    package var message: String
    package var remedy: String?
    /// The source line that `mark` points into; nil when there is none to show.
    package var line: String?

    package init(
        _ severity: Severity, at mark: SourceMark, length: Int = 1, message: String, remedy: String? = nil,
        line: String? = nil
    ) {
        self.severity = severity
        self.mark = mark
        self.length = length
        self.message = message
        self.remedy = remedy
        self.line = line
    }

    /// `file:line:column: error: message`, the line, and a caret with the remedy.
    package func rendered() -> String {
        let place = mark.line > 0 ? "\(mark)" : mark.file
        let headline = Diagnostic.printable("\(place): \(severity.rawValue): \(message)")
        let remedy = remedy.map(Diagnostic.printable)
        guard let line else { return remedy.map { "\(headline)\n  \($0)" } ?? headline }
        let excerpt = Excerpt(of: line, column: mark.column, length: length)
        let number = String(mark.line)
        let margin = String(repeating: " ", count: number.count + 2)
        var caret = margin + " | " + String(repeating: " ", count: excerpt.indent)
        caret += String(repeating: "^", count: excerpt.underline)
        if let remedy { caret += " " + remedy }
        return "\(headline)\n  \(number) | \(excerpt.text)\n\(caret)"
    }

    /// Control characters would move the caret or the reader's terminal.
    package static func printable(_ text: String) -> String {
        func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 32 || 127...159 ~= scalar.value }
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "·" : $0 }))
    }
}

/// The part of a line that a message shows: whole, or a window around the column when the line is very long.
private struct Excerpt {
    static let widest = 160

    let text: String
    /// Characters before the caret.
    let indent: Int
    let underline: Int

    init(of line: String, column: Int, length: Int) {
        let scalars = Array(line.unicodeScalars)
        let position = min(max(column - 1, 0), scalars.count)
        let start = scalars.count <= Excerpt.widest ? 0 : max(0, position - Excerpt.widest / 2)
        let end = min(scalars.count, start + Excerpt.widest)
        let head = start > 0 ? "…" : "", tail = end < scalars.count ? "…" : ""
        text = head + Diagnostic.printable(String(String.UnicodeScalarView(scalars[start..<end]))) + tail
        indent = position - start + head.count
        underline = max(1, min(length, end - position))
    }
}
