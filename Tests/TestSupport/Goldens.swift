import Foundation

/// Texts that tests print and people review: `Goldens/<name>` beside the test's own file.
///
/// With UNDERSTUDY_UPDATE_GOLDENS=1 in the environment the files are rewritten instead of compared.
package enum Goldens {
    package static let updateVariable = "UNDERSTUDY_UPDATE_GOLDENS"

    /// What differs between `text` and the golden of that name; nil when nothing does.
    package static func difference(
        _ text: String, from name: String, filePath: String = #filePath,
        isUpdating: Bool = ProcessInfo.processInfo.environment[updateVariable] == "1"
    ) -> String? {
        let folder = URL(fileURLWithPath: filePath).deletingLastPathComponent().appendingPathComponent("Goldens")
        let file = folder.appendingPathComponent(name)
        let golden = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) }
        if golden == text { return nil }
        if isUpdating {
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
                return nil
            } catch {
                return "\(file.path) cannot be written: \(error)"
            }
        }
        guard let golden else { return "\(file.path) is missing; \(updateVariable)=1 writes it." }
        return firstDifference(between: golden, and: text, path: file.path)
    }

    private static func firstDifference(between golden: String, and text: String, path: String) -> String {
        let old = golden.split(separator: "\n", omittingEmptySubsequences: false)
        let new = text.split(separator: "\n", omittingEmptySubsequences: false)
        var line = 0
        while line < old.count, line < new.count, old[line] == new[line] { line += 1 }
        let expected = line < old.count ? String(old[line]) : "(end)"
        let found = line < new.count ? String(new[line]) : "(end)"
        let place = "\(path):\(line + 1)\n  golden: \(expected)\n  now:    \(found)\n"
        return place + "\(updateVariable)=1 accepts the new text."
    }
}
