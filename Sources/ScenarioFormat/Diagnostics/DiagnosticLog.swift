import ServerScript

/// Collects what is wrong with one file, so that one run reports every mistake.
///
/// Cases are decoded one after another from the same text; a mistake that each of them meets is kept once.
final class DiagnosticLog {
    static let limit = 20

    let source: SourceText
    private(set) var hasErrors = false
    private var kept: [Diagnostic] = []
    private var seen: Set<Diagnostic> = []
    private var omitted = false

    init(source: SourceText) { self.source = source }

    /// No further mistake would be shown: the collection may stop.
    var isFull: Bool { omitted }

    /// In the order of the file, errors and warnings mixed; the last one tells when there were more.
    var diagnostics: [Diagnostic] {
        let sorted = kept.sorted { left, right in
            (left.mark.line, left.mark.column, left.message) < (right.mark.line, right.mark.column, right.message)
        }
        guard omitted, let last = sorted.last else { return sorted }
        let message = "more than \(DiagnosticLog.limit) mistakes: the others are not shown"
        return sorted + [Diagnostic(.error, at: last.mark, message: message)]
    }

    func error(_ message: String, at node: SourceNode, remedy: String? = nil) {
        let suffix = node.variable.map { " (the value of $\($0))" } ?? ""
        add(.error, message + suffix, at: node.mark, length: node.length, remedy: remedy)
    }

    func warning(_ message: String, at node: SourceNode, remedy: String? = nil) {
        add(.warning, message, at: node.mark, length: node.length, remedy: remedy)
    }

    func hasMessage(startingWith beginning: String, at mark: SourceMark) -> Bool {
        kept.contains { $0.mark == mark && $0.message.hasPrefix(beginning) }
    }

    func add(
        _ severity: Diagnostic.Severity, _ message: String, at mark: SourceMark, length: Int? = nil,
        remedy: String? = nil
    ) {
        if severity == .error { hasErrors = true }
        guard seen.count <= DiagnosticLog.limit else { return }
        let line = source.line(mark.line)
        let length = length ?? source.wordLength(at: mark)
        let diagnostic = Diagnostic(
            severity, at: mark, length: length, message: message, remedy: remedy, line: line)
        guard seen.insert(diagnostic).inserted else { return }
        guard kept.count < DiagnosticLog.limit else {
            omitted = true
            return
        }
        kept.append(diagnostic)
    }
}
