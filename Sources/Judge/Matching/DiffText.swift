import ScenarioFormat

/// Expected against got as two aligned lists, with a mark at the first difference.
package enum DiffText {
    /// `markAt` is the index of the first event that found no place.
    package static func lines(expected: [String], got: [String], markAt: Int?) -> [String] {
        let width = min(60, max("expected".count, expected.map(\.count).max() ?? 0))
        var lines = ["    \(padded("expected", to: width)) | got"]
        for row in 0..<max(expected.count, got.count) {
            let left = row < expected.count ? expected[row] : ""
            let right = row < got.count ? got[row] : row == markAt ? "(nothing more)" : ""
            lines.append("  \(row == markAt ? ">" : " ") \(padded(left, to: width)) | \(right)".trimmingTrailingBlanks)
        }
        if let markAt, markAt >= max(expected.count, got.count) {
            lines.append("  > \(padded("", to: width)) | (nothing more)")
        }
        return lines
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

extension String {
    fileprivate var trimmingTrailingBlanks: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
