import ClientMachines
import Glibc
import HTTPBasics
import NIOCore

/// The file that one task sends as its body, open for reading from before its request's head to the task's end.
///
/// What is sent is the file that was there at that moment, even if its name goes to another one meanwhile. Both worlds
/// share it, so that a missing file looks the same in both.
package final class UploadFile: Sendable {
    package let descriptor: Int32
    /// As it was opened. What the file grows by later is not sent.
    package let length: Int64

    private init(descriptor: Int32, length: Int64) {
        self.descriptor = descriptor
        self.length = length
    }

    deinit { _ = Glibc.close(descriptor) }

    /// Why a file cannot be sent (BEHAVIOUR 1.I5).
    package struct Trouble: Error, Hashable {
        package var kind: Failure.Kind
        package var detail: String

        static func cannotOpen(_ path: String, _ code: Int32) -> Trouble {
            Trouble(kind: kind(of: code), detail: "cannot open \(path): \(ErrorNumber(code))")
        }

        static func kind(of code: Int32) -> Failure.Kind {
            switch code {
            case ENOENT, ENOTDIR: return .fileDoesNotExist
            case EISDIR: return .fileIsDirectory
            case EACCES, EPERM: return .noPermissionsToReadFile
            default: return .cannotOpenFile
            }
        }
    }

    /// Opens a regular file; may block.
    package static func open(path: String) throws(Trouble) -> UploadFile {
        // C strings end at the first NUL: another file than the named one would be opened.
        guard !path.utf8.contains(0) else { throw Trouble(kind: .fileDoesNotExist, detail: "the path contains a NUL") }
        // Without waiting, for the path may be a FIFO's.
        let (descriptor, code) = retrying { Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { throw .cannotOpen(path, code) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            _ = Glibc.close(descriptor)
            throw .cannotOpen(path, code)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return UploadFile(descriptor: descriptor, length: Int64(status.st_size))
        case S_IFDIR:
            _ = Glibc.close(descriptor)
            throw .cannotOpen(path, EISDIR)
        default:
            _ = Glibc.close(descriptor)
            throw Trouble(kind: .cannotOpenFile, detail: "\(path) is not a regular file")
        }
    }

    /// Whether the file still has its bytes up to there.
    package func reaches(_ end: Int64) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && Int64(status.st_size) >= end
    }

    /// Bytes of the file; nil when it does not have them any more. For worlds without `sendfile`.
    package func read(offset: Int64, count: Int) -> ByteBuffer? {
        var piece = ByteBufferAllocator().buffer(capacity: count)
        while piece.readableBytes < count {
            let missing = count - piece.readableBytes
            let start = off_t(offset) + off_t(piece.readableBytes)
            let got = piece.writeWithUnsafeMutableBytes(minimumWritableBytes: missing) { space in
                max(0, retrying { pread(descriptor, space.baseAddress, missing, start) }.result)
            }
            guard got > 0 else { return nil }
        }
        return piece
    }

    /// What has gone wrong when bytes that were promised are missing (BEHAVIOUR 1.I5-shorter).
    package static let shortened = Trouble(
        kind: .requestBodyStreamExhausted, detail: "The file became shorter while it was sent.")
}
