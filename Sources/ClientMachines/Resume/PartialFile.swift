/// The names of files in which downloads grow.
package enum PartialFile {
    private static let (beginning, end) = ("understudy-download-", ".tmp")

    static func path(in directory: String, entropy: UInt64) -> String {
        "\(directory)/\(beginning)\(String(entropy, radix: 16))\(end)"
    }

    /// Another name in the folder of a file.
    static func path(beside file: String, entropy: UInt64) -> String {
        path(in: String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)]), entropy: entropy)
    }

    /// Whether a download may have made a file of this name. Resume data can come from outside, and what they name is
    /// cut, written to and removed.
    package static func mayBe(_ path: String) -> Bool {
        guard path.hasPrefix("/"), !path.utf8.contains(0), let name = path.split(separator: "/").last
        else { return false }
        let middle = name.dropFirst(beginning.count).dropLast(end.count)
        return name.hasPrefix(beginning) && name.hasSuffix(end) && !middle.isEmpty && middle.allSatisfy(\.isHexDigit)
    }
}
