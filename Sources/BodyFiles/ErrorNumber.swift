import Glibc

/// An `errno` value that prints as its symbol with the system's own words: `ENOSPC (No space left on device)`.
package struct ErrorNumber: Error, Hashable, CustomStringConvertible {
    package let code: Int32

    package init(_ code: Int32) { self.code = code }

    /// It says nothing about the file: the process, or the machine, has no descriptor or no memory left.
    package var isOfProcess: Bool { [EMFILE, ENFILE, ENOMEM].contains(code) }

    package var description: String { "\(symbol) (\(text))" }

    /// The name that manual pages use; the number where it is none that files can produce.
    private var symbol: String {
        switch code {
        case EACCES: return "EACCES"
        case EBADF: return "EBADF"
        case EBUSY: return "EBUSY"
        case EDQUOT: return "EDQUOT"
        case EEXIST: return "EEXIST"
        case EFBIG: return "EFBIG"
        case EINVAL: return "EINVAL"
        case EIO: return "EIO"
        case EISDIR: return "EISDIR"
        case ELOOP: return "ELOOP"
        case EMFILE: return "EMFILE"
        case ENAMETOOLONG: return "ENAMETOOLONG"
        case ENFILE: return "ENFILE"
        case ENODEV: return "ENODEV"
        case ENOENT: return "ENOENT"
        case ENOMEM: return "ENOMEM"
        case ENOSPC: return "ENOSPC"
        case ENOTDIR: return "ENOTDIR"
        case ENXIO: return "ENXIO"
        case EPERM: return "EPERM"
        case EROFS: return "EROFS"
        case ETXTBSY: return "ETXTBSY"
        default: return "errno \(code)"
        }
    }

    private var text: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            buffer.initialize(repeating: 0)
            guard let base = buffer.baseAddress, strerror_r(code, base, buffer.count) == 0 else { return "unknown" }
            return String(cString: base)
        }
    }
}
