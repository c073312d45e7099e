#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics

/// The fields that a request gets when neither it nor its session sets them, in Apple's order (BEHAVIOUR 2.F2).
enum DefaultFields {
    /// Worked out once: neither the program's name nor the user's languages change while it runs.
    static func ofThisProcess(_ codings: KnownCodings) -> StandingFields {
        ofThisProcess[Int(codings.intersection(.all).rawValue)]
    }

    /// By the codings that are known.
    private static let ofThisProcess = (0...KnownCodings.all.rawValue).map { number in
        StandingFields(
            fields(processName: ProcessInfo.processInfo.processName, languages: Locale.preferredLanguages),
            secureEncoding: KnownCodings(rawValue: number).accepted(isSecure: true))
    }

    static let temporaryDirectory = FileManager.default.temporaryDirectory.path

    static func fields(processName: String, languages: [String]) -> Fields {
        var fields = Fields()
        fields.set("User-Agent", userAgent(processName))
        fields.set("Accept", "*/*")
        if let value = acceptLanguage(languages) { fields.set("Accept-Language", value) }
        fields.set("Accept-Encoding", KnownCodings().accepted(isSecure: false))
        return fields
    }

    /// As Apple names a program without a bundle. What a token cannot hold is percent-encoded.
    static func userAgent(_ processName: String) -> String {
        var product = ""
        for byte in processName.utf8 {
            if ASCII.isTokenCharacter(byte), byte != UInt8(ascii: "%") {
                product.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                product += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return "\(product.isEmpty ? "unknown" : product) (unknown version) Understudy/\(LibraryVersion.text)"
    }

    /// The user's languages, most wanted first, each followed by its plain form, such as `en-US,en;q=0.9`.
    static func acceptLanguage(_ languages: [String]) -> String? {
        var tags: [String] = []
        for language in languages {
            let tag = language.replacing("_", with: "-")
            guard !tag.isEmpty, tag.utf8.allSatisfy(isLanguageByte) else { continue }
            let plain = tag.prefix { $0 != "-" }
            for candidate in [tag, String(plain)] where !candidate.isEmpty && !tags.contains(candidate) {
                tags.append(candidate)
            }
        }
        // From 1 down to 0.1: there is no weight left for more.
        let weighted = tags.prefix(10).enumerated().map { index, tag in
            index == 0 ? tag : "\(tag);q=0.\(10 - index)"
        }
        return weighted.isEmpty ? nil : weighted.joined(separator: ",")
    }

    private static func isLanguageByte(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || ASCII.lowercased(byte) &- 97 < 26 || byte == UInt8(ascii: "-")
    }
}
#endif
