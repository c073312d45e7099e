import ClientMachines
import Glibc

/// A regular file, open for reading at any offset. Everything that reads files opens them here, so that the same thing
/// is wrong with a file for all of them.
///
/// Its calls may wait for the disk.
package final class SourceFile: Sendable {
    package let path: String
    /// Open for as long as this object lives.
    package let descriptor: Int32

    /// Why a file cannot be read, or is not the one that was meant.
    package struct Trouble: Error, Hashable {
        package var kind: Failure.Kind
        /// A sentence that names the file.
        package var detail: String

        init(_ kind: Failure.Kind, _ detail: String) { (self.kind, self.detail) = (kind, detail) }

        /// - Parameter verb: What cannot be done with the file.
        init(_ path: String, cannotBe verb: String, _ code: Int32) {
            switch code {
            case ENOENT, ENOTDIR, ENAMETOOLONG: self.init(.fileDoesNotExist, "There is no file \(path).")
            case EISDIR: self.init(.fileIsDirectory, "\(path) is a directory.")
            case EACCES, EPERM: self.init(.noPermissionsToReadFile, "\(path) may not be read.")
            default: self.init(.cannotOpenFile, "\(path) cannot be \(verb): \(ErrorNumber(code)).")
            }
        }
    }

    /// - Throws: What BEHAVIOUR 1.I5 lists.
    package init(path: String) throws(Trouble) {
        // C strings end at the first NUL: another file than the named one would be opened.
        guard !path.utf8.contains(0) else { throw Trouble(.fileDoesNotExist, "The path contains a NUL.") }
        self.path = path
        // A FIFO without a writer would keep us waiting for one.
        let (descriptor, code) = retrying { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        self.descriptor = descriptor
        guard descriptor >= 0 else { throw Trouble(path, cannotBe: "opened", code) }
        switch try status().st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFDIR: throw Trouble(path, cannotBe: "opened", EISDIR)
        default: throw Trouble(.cannotOpenFile, "\(path) is not a regular file.")
        }
    }

    deinit {
        if descriptor >= 0 { _ = close(descriptor) }
    }

    /// The file as it is now.
    package func version() throws(Trouble) -> FileVersion {
        let status = try status(), time = status.st_mtim
        return FileVersion(
            size: Int64(status.st_size), modified: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    /// Fails with `cannotOpenFile` if the file has changed.
    package func check(is wanted: FileVersion) throws(Trouble) {
        let now = try version()
        guard now != wanted else { return }
        let what =
            now.size == wanted.size ? "it was written to" : "it had \(wanted.size) bytes, and has \(now.size) now"
        throw Trouble(.cannotOpenFile, "\(path) has changed since its transfer was prepared: \(what).")
    }

    /// Fills `space` as far as one read goes; 0 at the end of the file.
    package func read(into space: UnsafeMutableRawBufferPointer, at offset: Int64) throws(Trouble) -> Int {
        let (count, code) = retrying { pread(descriptor, space.baseAddress, space.count, off_t(offset)) }
        guard count >= 0 else { throw Trouble(path, cannotBe: "read", code) }
        return count
    }

    private func status() throws(Trouble) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Trouble(path, cannotBe: "examined", errno) }
        return status
    }
}
