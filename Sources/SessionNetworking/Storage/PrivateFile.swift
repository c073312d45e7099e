#if !canImport(Darwin)
import Foundation

/// A small file of this user's own, which is whole at every moment, whoever is killed meanwhile, and which several
/// processes may change without undoing each other's changes.
///
/// It is always replaced: a new file is written beside it, brought to the disk, and renamed over it. Who changes it
/// holds a lock on another file beside it, which the system takes away from a process that ends. Whoever only reads
/// needs no lock. Everything here blocks: it has no place on a loop, nor under a lock.
package struct PrivateFile: Sendable {
    /// What is there.
    package enum Found: Hashable, Sendable {
        case absent
        case bytes([UInt8])
        /// Something else has its name: a link, a folder, a file that is larger than it may be.
        case foreign
    }

    /// Which version of the file something was read from.
    package struct Version: Hashable, Sendable {
        private let device, inode: UInt64
        private let size, seconds, nanoseconds: Int64

        fileprivate init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            inode = UInt64(truncatingIfNeeded: status.st_ino)
            size = Int64(status.st_size)
            seconds = Int64(status.st_mtim.tv_sec)
            nanoseconds = Int64(status.st_mtim.tv_nsec)
        }
    }

    /// What a change makes of the file.
    package enum Outcome: Hashable, Sendable {
        case nothing
        case replace([UInt8])
        /// What was read makes no sense: it is put aside, under the name with `.damaged` behind it.
        case putAside(then: [UInt8])
    }

    /// The system refused a step, the file is another user's, or another process holds it: nothing has changed.
    package struct Refused: Error, Hashable {
        package let step: String
        package let code: Int32
    }

    package let path: String
    /// How large it may be, in bytes.
    package let limit: Int
    /// Called between the steps of a change, for tests: an error ends the change there, as the end of the process does.
    private let afterStep: @Sendable (String) throws(Refused) -> Void

    package init(
        path: String, limit: Int, afterStep: @escaping @Sendable (String) throws(Refused) -> Void = { _ in }
    ) {
        self.path = path
        self.limit = limit
        self.afterStep = afterStep
    }

    /// Where this program's private files are: `understudy/<program>` in `$XDG_DATA_HOME`, else in `~/.local/share`; or
    /// in what another variable names. Nil if the user has no home.
    package static func directory(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        program: String = CommandLine.arguments.first ?? "", in variable: String = "XDG_DATA_HOME",
        else folder: String = ".local/share"
    ) -> String? {
        let name = String(program.split(separator: "/").last ?? "")
        guard !name.isEmpty, name != ".", name != "..",
            let all = commonDirectory(environment, in: variable, else: folder)
        else { return nil }
        return "\(all)/\(name)"
    }

    /// Where those of all programs are.
    static func commonDirectory(
        _ environment: [String: String], in variable: String = "XDG_DATA_HOME", else folder: String = ".local/share"
    ) -> String? {
        // A relative path has no meaning (XDG Base Directory Specification 0.8).
        let base = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (base ?? home.map { $0 + "/" + folder }).map { $0 + "/understudy" }
    }

    // MARK: - Reading

    /// Which version is there now; nil if none is, or if that cannot be told.
    package var version: Version? {
        var status = stat()
        return lstat(path, &status) == 0 ? Version(status) : nil
    }

    /// What is there now, and which version it is. Nobody else may read it afterwards, whatever its mode was. What the
    /// system refuses for now is refused, and so is another user's file: neither is absent or damaged.
    package func read() throws(Refused) -> (content: Found, version: Version?) {
        // Without waiting for the other end, if it is a pipe.
        let descriptor = Self.retrying { open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT, ENOTDIR: return (.absent, nil)
            case ELOOP, ENXIO: return (.foreign, nil)
            default: throw Refused(step: "open", code: errno)
            }
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Refused(step: "look", code: errno) }
        let version = Version(status)
        guard status.st_uid == geteuid() else { throw Refused(step: "own", code: EPERM) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else {
            return (.foreign, version)
        }
        if status.st_mode & 0o077 != 0 { fchmod(descriptor, 0o600) }
        // One more than there should be, to see that it has not grown meanwhile.
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
        var count = 0
        while count < bytes.count {
            let taken = Self.retrying {
                bytes.withUnsafeMutableBytes {
                    Foundation.read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
                }
            }
            guard taken >= 0 else { throw Refused(step: "read", code: errno) }
            if taken == 0 { break }
            count += taken
        }
        guard count < bytes.count else { return (.foreign, version) }
        return (.bytes(Array(bytes.prefix(count))), version)
    }

    // MARK: - Changing

    /// Changes it while nobody else does.
    ///
    /// - Parameters:
    ///   - patience: How long others may hold it.
    ///   - change: Says what is to be there, by what is there.
    /// - Returns: The version that is there then.
    @discardableResult
    package func update(
        within patience: Duration = .seconds(5), _ change: (Found) -> Outcome
    ) throws(Refused) -> Version? {
        try makeDirectory()
        let lock = Self.retrying { open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        guard lock >= 0 else { throw Refused(step: "open the lock", code: errno) }
        defer { close(lock) }
        let end = ContinuousClock.now + patience
        while Self.retrying({ flock(lock, LOCK_EX | LOCK_NB) }) != 0 {
            guard errno == EWOULDBLOCK, ContinuousClock.now < end else { throw Refused(step: "lock", code: errno) }
            usleep(5_000)
        }
        try afterStep("lock")
        let (content, version) = try read()
        switch change(content) {
        case .nothing: return version
        case .replace(let bytes):
            if content == .foreign { try putAside() }
            try replace(with: bytes)
        case .putAside(let bytes):
            try putAside()
            try replace(with: bytes)
        }
        return self.version
    }

    private func putAside() throws(Refused) {
        guard rename(path, path + ".damaged") == 0 || errno == ENOENT else {
            throw Refused(step: "put aside", code: errno)
        }
        try afterStep("put aside")
    }

    private func replace(with bytes: [UInt8]) throws(Refused) {
        guard bytes.count <= limit else { throw Refused(step: "write", code: EFBIG) }
        let new = path + ".new"
        // Of somebody who was killed: we have the lock.
        unlink(new)
        let descriptor = Self.retrying { open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        guard descriptor >= 0 else { throw Refused(step: "create", code: errno) }
        try afterStep("create")
        do {
            defer { close(descriptor) }
            try write(bytes, to: descriptor)
        } catch {
            if error.code != Self.killed { unlink(new) }
            throw error
        }
        guard rename(new, path) == 0 else {
            let code = errno
            unlink(new)
            throw Refused(step: "rename", code: code)
        }
        try afterStep("rename")
        syncDirectory()
    }

    /// What `afterStep` throws in place of the end of the process: nothing is tidied up.
    package static let killed: Int32 = -9

    private func write(_ bytes: [UInt8], to descriptor: Int32) throws(Refused) {
        var written = 0
        while written < bytes.count {
            let count = Self.retrying {
                bytes.withUnsafeBytes {
                    Foundation.write(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written)
                }
            }
            guard count > 0 else { throw Refused(step: "write", code: errno) }
            written += count
            try afterStep("write")
        }
        guard fsync(descriptor) == 0 else { throw Refused(step: "sync", code: errno) }
        try afterStep("sync")
    }

    /// The new name, too, is to survive the end of the machine. Where a file system cannot do it, nothing is lost.
    private func syncDirectory() {
        let descriptor = Self.retrying { open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private var folder: String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }

    private func makeDirectory() throws(Refused) {
        var status = stat()
        if stat(folder, &status) == 0 { return }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: NSNumber(value: 0o700)])
        } catch {
            throw Refused(step: "make the directory", code: ENOENT)
        }
    }

    private static func retrying<Number: SignedInteger>(_ call: () -> Number) -> Number {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}
#endif
