import Foundation

/// What of the program and its libraries only the start of the process has read: relocations, and the tables of all
/// types and conformances. That is most of what a small server would hold.
enum ProgramPages {
    /// Takes them out of the process, not out of the system's cache: what is needed again is there at once, without a
    /// disk. Only pages that are as they are in their file.
    ///
    /// - Returns: How many bytes of address space.
    @discardableResult static func giveBack() -> Int {
        guard let file = fopen("/proc/self/smaps", "re") else { return 0 }
        defer { fclose(file) }
        var found: [Range<UInt>] = []
        var current: Range<UInt>?
        var line: UnsafeMutablePointer<CChar>?
        var room = 0
        defer { free(line) }
        while getline(&line, &room, file) > 0, let line {
            let text = String(cString: line)
            if let mapping = mapping(text) {
                current = mapping
            } else if text.hasPrefix("Anonymous:"), let range = current {
                if text.split(separator: " ").dropFirst().first == "0" { found.append(range) }
                current = nil
            } else if text.first?.isHexDigit == true, text.contains("-") {
                current = nil
            }
        }
        for range in found {
            madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
        }
        return found.reduce(0) { $0 + $1.count }
    }

    /// The addresses of a file that the process does not write to: `7f00-7f10 r-xp 0000 08:01 17 /usr/lib/a.so`.
    static func mapping(_ line: String) -> Range<UInt>? {
        let words = line.split(separator: " ")
        guard words.count >= 6, words[5].hasPrefix("/"), words[1].count == 4, words[1].hasPrefix("r"),
            words[1].dropFirst().first == "-", words[1].hasSuffix("p")
        else { return nil }
        let ends = words[0].split(separator: "-").map { UInt($0, radix: 16) }
        guard ends.count == 2, let first = ends[0], let end = ends[1], first < end else { return nil }
        return first..<end
    }
}
