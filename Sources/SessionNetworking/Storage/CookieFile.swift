#if !canImport(Darwin)
import ClientMachines
import Foundation

/// The file of a storage of cookies: a private file with all of them that outlast the session (BEHAVIOUR 2.C27-file).
///
/// Its calls may wait for the disk, and for other processes.
struct CookieFile: Sendable {
    let path: String
    private let file: PrivateFile

    init(path: String) {
        self.path = path
        file = PrivateFile(path: path, limit: CookieFileText.mostBytes)
    }

    /// What is there now; nil if nothing is, or what is no file of ours, or not whole.
    func entries() throws(PrivateFile.Refused) -> [CookieJar.Entry]? { Self.entries(in: try file.read().content) }

    /// Changes it while nobody else does. What is not ours, or not whole, is put aside: out of the way, not out of the
    /// world, since its owner may want it back.
    ///
    /// - Parameter change: Is given what `entries` gives.
    func update(
        within patience: Duration, _ change: ([CookieJar.Entry]?) -> [CookieJar.Entry]
    ) throws(PrivateFile.Refused) {
        try file.update(within: patience) { found in
            let entries = Self.entries(in: found)
            let text = CookieFileText.text(of: change(entries))
            return entries == nil && found != .absent ? .putAside(then: text) : .replace(text)
        }
    }

    private static func entries(in found: PrivateFile.Found) -> [CookieJar.Entry]? {
        if case .bytes(let bytes) = found { CookieFileText.entries(in: bytes) } else { nil }
    }

    // MARK: - Where it is

    /// Of this program, or of a group of programs; nil where no home is known, or none is wanted.
    ///
    /// `UNDERSTUDY_COOKIE_DIRECTORY` names the directory; an empty one stands for none. Else it is in the user's data
    /// directory, `$XDG_DATA_HOME` or `~/.local/share`.
    static func standard(
        group: String?, program: String = ProcessInfo.processInfo.processName,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> CookieFile? {
        let name = group.map { "\(fileName($0)).group.cookies" } ?? "\(fileName(program)).cookies"
        if let directory = environment["UNDERSTUDY_COOKIE_DIRECTORY"] {
            return directory.hasPrefix("/") ? CookieFile(path: "\(directory)/\(name)") : nil
        }
        return PrivateFile.commonDirectory(environment).map { CookieFile(path: "\($0)/\(name)") }
    }

    /// As one part of a path.
    private static func fileName(_ text: String) -> String {
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_"))
        let name = text.addingPercentEncoding(withAllowedCharacters: allowed) ?? "program"
        return name.isEmpty ? "program" : String(name.prefix(200))
    }
}
#endif
