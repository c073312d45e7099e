import BodyFiles
import Glibc
import HTTPBasics

/// The folders on disk of one cache: 256 buckets, and one for files that are being written.
///
/// They lie in a folder of their own, which is the user's alone, so that nobody else can put links there; and with the
/// number of the format in its name, so that another version of this module leaves them alone. What else lies in the
/// caller's folder is not looked at.
final class FolderPlace: Sendable {
    static let name = "entries-2"
    static let unfinished = "unfinished"

    private let descriptor: Int32
    /// How what is at hand is looked at; nil where nobody can tell what is.
    let accessAtHand: DiskAccess?

    /// - Parameter makes: Whether what is missing is made.
    /// - Throws: If it is not there, or not the user's (EPERM).
    init(path: String, makes: Bool) throws(ErrorNumber) {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw ErrorNumber(ENOENT) }
        let outer = try Self.open(path, makes: makes)
        defer { _ = close(outer) }
        if makes { _ = mkdirat(outer, Self.name, 0o700) }
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let (inner, code) = retrying { openat(outer, Self.name, flags) }
        guard inner >= 0 else { throw ErrorNumber(code) }
        descriptor = inner
        accessAtHand = DiskAccess(atHandOn: inner)
        var status = stat()
        guard fstat(inner, &status) == 0, status.st_uid == geteuid() else { throw ErrorNumber(EPERM) }
        if status.st_mode & 0o077 != 0, fchmod(inner, 0o700) != 0 { throw ErrorNumber(EPERM) }
        _ = mkdirat(inner, Self.unfinished, 0o700)
    }

    deinit { _ = close(descriptor) }

    private static func open(_ path: String, makes: Bool) throws(ErrorNumber) -> Int32 {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        let (found, code) = retrying { Glibc.open(path, flags) }
        if found >= 0 { return found }
        guard code == ENOENT, makes else { throw ErrorNumber(code) }
        for end in path.indices where end > path.startIndex && path[end] == "/" {
            _ = mkdir(String(path[..<end]), 0o700)
        }
        _ = mkdir(path, 0o700)
        let (made, reason) = retrying { Glibc.open(path, flags) }
        guard made >= 0 else { throw ErrorNumber(reason) }
        return made
    }

    /// Whether somebody has removed the folder meanwhile.
    var isGone: Bool {
        var status = stat()
        return fstat(descriptor, &status) != 0 || status.st_nlink == 0
    }

    // MARK: - Files

    /// The descriptor, or the error number.
    func open(_ path: String, _ flags: Int32, _ access: DiskAccess = .waiting) -> Result<Int32, ErrorNumber> {
        // A FIFO without a writer would keep us waiting for one.
        access.open(path, in: descriptor, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    }

    func remove(_ path: String) { _ = unlinkat(descriptor, path, 0) }

    /// Gives a file its name, in its bucket, which is made if it is not there.
    func rename(_ path: String, to name: EntryName) -> Bool {
        if renameat(descriptor, path, descriptor, name.path) == 0 { return true }
        guard errno == ENOENT, mkdirat(descriptor, EntryName.folder(name.hash.bucket), 0o700) == 0 || errno == EEXIST
        else { return false }
        return renameat(descriptor, path, descriptor, name.path) == 0
    }

    struct EntryStatus {
        var length: Int64
        var used: UnixTime
    }

    /// Nil for what is no file of the user's.
    func status(of name: EntryName) -> EntryStatus? {
        var status = stat()
        guard fstatat(descriptor, name.path, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return EntryStatus(status)
    }

    func setUsed(_ name: EntryName, _ used: UnixTime) {
        _ = [timespec(used), timespec(used)].withUnsafeBufferPointer {
            utimensat(descriptor, name.path, $0.baseAddress, AT_SYMLINK_NOFOLLOW)
        }
    }

    // MARK: - Buckets

    /// Changes whenever a name is added to a bucket or removed.
    enum Stamp: Equatable {
        case absent
        case changed(seconds: Int, nanoseconds: Int)

        init(_ status: stat) {
            self = .changed(seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
        }

        /// Whether a change that comes now has another stamp: the system's clock ticks every few milliseconds.
        var isSettled: Bool {
            guard case .changed(let seconds, let nanoseconds) = self else { return true }
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            let passed = (now.tv_sec &- seconds).multipliedReportingOverflow(by: 1_000_000_000)
            return !passed.overflow && passed.partialValue &+ (now.tv_nsec &- nanoseconds) > 20_000_000
        }
    }

    /// A link in place of a bucket is none.
    func stamp(of bucket: Int) -> Stamp {
        var status = stat()
        guard fstatat(descriptor, EntryName.folder(bucket), &status, AT_SYMLINK_NOFOLLOW) == 0,
            status.st_mode & S_IFMT == S_IFDIR
        else { return .absent }
        return Stamp(status)
    }

    /// The same if the system has it in memory.
    func stampAtHand(of bucket: Int) -> Stamp? {
        guard case .success(let opened) = open(EntryName.folder(bucket), O_RDONLY | O_DIRECTORY, .cached) else {
            return nil
        }
        defer { _ = close(opened) }
        var status = stat()
        return fstat(opened, &status) == 0 ? Stamp(status) : nil
    }

    func names(in bucket: Int) throws(ErrorNumber) -> [EntryName] {
        var names: [EntryName] = []
        try list(EntryName.folder(bucket)) { text in
            if let name = EntryName(text), name.hash.bucket == bucket { names.append(name) }
        }
        return names
    }

    func unfinished() -> [String] {
        var names: [String] = []
        try? list(Self.unfinished) { text in
            let text = String(decoding: text, as: UTF8.self)
            if text.utf8.count == 16, text.allSatisfy(\.isHexDigit) { names.append("\(Self.unfinished)/\(text)") }
        }
        return names
    }

    /// What is not there, or is not ours, has nothing in it.
    private func list(_ folder: String, _ body: (UnsafeRawBufferPointer) -> Void) throws(ErrorNumber) {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let (opened, code) = retrying { openat(descriptor, folder, flags) }
        guard opened >= 0 else {
            if ErrorNumber(code).isOfProcess { throw ErrorNumber(code) }
            return
        }
        guard let stream = fdopendir(opened) else {
            _ = close(opened)
            throw ErrorNumber(ENOMEM)
        }
        defer { closedir(stream) }
        errno = 0
        while let entry = readdir(stream) {
            let start = UnsafeRawPointer(entry).advanced(by: Self.nameOffset)
            body(UnsafeRawBufferPointer(start: start, count: strlen(start.assumingMemoryBound(to: CChar.self))))
            errno = 0
        }
        if errno != 0 { throw ErrorNumber(errno) }
    }

    private static let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 19
}

extension FolderPlace.EntryStatus {
    init?(_ status: stat) {
        // With a second name, or another's, it was not made here.
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_nlink == 1,
            status.st_size <= EntryLayout.maximumFile
        else { return nil }
        self.init(length: Int64(status.st_size), used: UnixTime(seconds: Int64(status.st_mtim.tv_sec)))
    }
}

extension timespec {
    init(_ time: UnixTime) { self.init(tv_sec: Int(time.seconds), tv_nsec: 0) }
}
