#if !canImport(Darwin)
import Foundation

/// What tells one state of a file from the next: bytes are never mixed from two of them.
struct FileVersion: Codable, Hashable, Sendable {
    /// In bytes.
    let size: Int64
    /// When it was last written, in nanoseconds since 1970.
    let modified: Int64
}

/// A regular file that is read at offsets, for as long as it stays as it is.
///
/// Confined to one caller at a time; its calls may wait for the disk.
final class SourceFile {
    let url: URL
    private let descriptor: Int32

    /// - Throws: `URLError`: `.badURL` for what is no file URL, `.fileDoesNotExist`, `.noPermissionsToReadFile`,
    ///   `.fileIsDirectory`, and `.cannotOpenFile` for all else that is no regular file or cannot be opened.
    init(_ url: URL) throws(URLError) {
        guard url.isFileURL else { throw URLError(.badURL, "\(url.absoluteString) is no URL of a file.") }
        self.url = url
        // A pipe without a writer would keep us waiting for one.
        descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT, ENOTDIR: throw URLError(.fileDoesNotExist, "There is no file \(url.path).")
            case EACCES, EPERM: throw URLError(.noPermissionsToReadFile, "\(url.path) may not be read.")
            case let number: throw URLError(.cannotOpenFile, "\(url.path) cannot be opened: \(Self.text(number)).")
            }
        }
        let kind = try status().st_mode & S_IFMT
        if kind == S_IFDIR { throw URLError(.fileIsDirectory, "\(url.path) is a directory.") }
        if kind != S_IFREG { throw URLError(.cannotOpenFile, "\(url.path) is no regular file.") }
    }

    deinit {
        if descriptor >= 0 { _ = close(descriptor) }
    }

    /// The file as it is now.
    func version() throws(URLError) -> FileVersion {
        let status = try status()
        let time = status.st_mtim
        return FileVersion(
            size: Int64(status.st_size), modified: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    /// Fails with `.cannotOpenFile` unless the file still is what it was.
    func check(is wanted: FileVersion) throws(URLError) {
        let now = try version()
        guard now != wanted else { return }
        let what =
            now.size == wanted.size ? "it was written to" : "it had \(wanted.size) bytes, and has \(now.size) now"
        throw URLError(.cannotOpenFile, "\(url.path) has changed since its transfer was prepared: \(what).")
    }

    /// Fills `space` as far as the file goes; 0 at its end.
    func read(into space: UnsafeMutableRawBufferPointer, at offset: Int64) throws(URLError) -> Int {
        while true {
            let count = pread(descriptor, space.baseAddress, space.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else {
                throw URLError(.cannotOpenFile, "\(url.path) cannot be read: \(Self.text(errno)).")
            }
        }
    }

    /// So many bytes from there, which must be there.
    func bytes(at offset: Int64, count: Int) throws(URLError) -> Data {
        var data = Data(count: count)
        let filled = data.withUnsafeMutableBytes { space in
            Result { () throws(URLError) in try fill(space, at: offset) }
        }
        try filled.get()
        return data
    }

    private func fill(_ space: UnsafeMutableRawBufferPointer, at offset: Int64) throws(URLError) {
        var filled = 0
        while filled < space.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: space[filled...])
            let next = try read(into: rest, at: offset + Int64(filled))
            guard next > 0 else {
                throw URLError(.cannotOpenFile, "\(url.path) ends before byte \(offset + Int64(space.count)).")
            }
            filled += next
        }
    }

    private func status() throws(URLError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw URLError(.cannotOpenFile, "\(url.path) cannot be looked at: \(Self.text(errno)).")
        }
        return status
    }

    private static func text(_ number: Int32) -> String { String(cString: strerror(number)) }
}

extension URLError {
    /// An error whose description is this sentence.
    init(_ code: Code, _ sentence: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: sentence])
    }
}
#endif
