#if !canImport(Darwin)
import Foundation

/// Under which name a body may be saved (BEHAVIOUR 2.F31).
enum SuggestedFilename {
    /// The longest name that common file systems take, in bytes.
    private static let byteLimit = 255

    static func choose(disposition: String?, url: URL?, mimeType: String?) -> String {
        let extra = mimeType.flatMap(FileType.usualExtension)
        if let name = disposition.flatMap(ContentDisposition.filename).flatMap(safe) {
            return complete(name, with: extra)
        }
        if let name = (url?.lastPathComponent).flatMap(safe), name != "_" { return complete(name, with: extra) }
        return unknown
    }

    /// Programs compare with this very word, so that it gets no extension.
    private static let unknown = "Unknown"

    /// Without anything that would lead out of a directory or hide in a listing; nil when nothing is left.
    private static func safe(_ name: String) -> String? {
        var result = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            let isControl = scalar.value < 0x20 || scalar.value == 0x7F
            result.append(scalar == "/" || isControl ? "_" : scalar)
        }
        let text = String(result).trimmingCharacters(in: .whitespaces)
        return text.isEmpty || text == "." || text == ".." ? nil : text
    }

    private static func complete(_ name: String, with extra: String?) -> String {
        let hasExtension = name.dropFirst().contains(".") && !name.hasSuffix(".")
        return shortened(name, adding: hasExtension ? nil : extra)
    }

    private static func shortened(_ name: String, adding extra: String?) -> String {
        let ending = extra.map { "." + $0 } ?? ""
        var stem = name
        while stem.utf8.count + ending.utf8.count > byteLimit { stem.removeLast() }
        return stem + ending
    }
}
#endif
