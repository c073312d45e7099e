#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics

/// The file of a storage of cookies on disk: read and replaced as a whole, so that whoever dies at whatever moment
/// leaves the old one or the new one (BEHAVIOUR 2.C27-file).
///
/// Its calls may wait for the disk, and for other processes.
struct CookieFile: Sendable {
    let path: String

    enum FoundCookies {
        case absent
        case entries([CookieJar.Entry])
        /// Read, and not whole, or not a file of ours.
        case foreign
        /// It cannot be read for now, or is another user's: nobody knows what it has.
        case unreadable
    }

    func read() -> FoundCookies {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT, ENOTDIR: return .absent
            // A link, a socket.
            case ELOOP, ENXIO: return .foreign
            default: return .unreadable
            }
        }
        defer { _ = close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid() else { return .unreadable }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= CookieFileText.mostBytes else { return .foreign }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count <= CookieFileText.mostBytes {
            let count = Foundation.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return .unreadable }
            if count == 0 { break }
            bytes += piece[..<count]
        }
        return CookieFileText.entries(in: bytes).map { .entries($0) } ?? .foreign
    }

    /// Under the lock alone.
    ///
    /// - Returns: Whether it is on the disk.
    func replace(with entries: [CookieJar.Entry]) -> Bool {
        let text = CookieFileText.text(of: entries)
        guard text.count <= CookieFileText.mostBytes else { return false }
        let new = path + ".new"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        let isWritten = fchmod(descriptor, 0o600) == 0 && write(text, to: descriptor) && fsync(descriptor) == 0
        guard close(descriptor) == 0, isWritten, rename(new, path) == 0 else {
            _ = unlink(new)
            return false
        }
        return true
    }

    private func write(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Out of the way, not out of the world: its owner may want it back.
    func putAside() { _ = rename(path, path + ".damaged") }

    /// Runs alone among all processes; nil if another one holds the file for longer than that.
    func exclusively<Result>(within patience: Duration, _ body: () -> Result) -> Result? {
        let folder = (path as NSString).deletingLastPathComponent
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
        // Closing lets it go, and so does the end of a process.
        defer { _ = close(descriptor) }
        let end = ContinuousClock.now + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < end else { return nil }
            usleep(5000)
        }
        return body()
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
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
            return CookieFile(path: "\(data)/understudy/\(name)")
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return CookieFile(path: "\(home)/.local/share/understudy/\(name)")
    }

    /// As one part of a path.
    private static func fileName(_ text: String) -> String {
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_"))
        let name = text.addingPercentEncoding(withAllowedCharacters: allowed) ?? "program"
        return name.isEmpty ? "program" : String(name.prefix(200))
    }
}
#endif
