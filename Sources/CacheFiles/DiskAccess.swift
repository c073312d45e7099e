import BodyFiles
import CPageCache
import Glibc

/// Whether a look at a file may wait for the disk.
enum DiskAccess {
    case waiting
    /// Only what the system has in memory; it ends with EAGAIN where the disk would have to be asked.
    case cached

    func open(_ path: String, in folder: Int32, _ flags: Int32) -> Result<Int32, ErrorNumber> {
        let (opened, code) = retrying {
            self == .waiting ? openat(folder, path, flags, 0o600) : open_cached(folder, path, flags)
        }
        return opened >= 0 ? .success(opened) : .failure(ErrorNumber(code))
    }

    /// Fills some spaces one after another.
    ///
    /// - Returns: How many bytes there are, fewer than asked for only at the end of the file.
    func read(
        _ descriptor: Int32, at offset: Int64, into spaces: [UnsafeMutableRawBufferPointer]
    ) throws(CacheTrouble) -> Int {
        var parts = spaces.map { iovec(iov_base: $0.baseAddress, iov_len: $0.count) }[...]
        var filled = 0
        while !parts.isEmpty {
            let (read, code) = parts.withUnsafeBufferPointer { parts in
                let count = Int32(min(parts.count, Self.mostParts)), place = off_t(offset) + filled
                return retrying {
                    self == .waiting
                        ? preadv(descriptor, parts.baseAddress, count, place)
                        : read_cached(descriptor, parts.baseAddress, count, place)
                }
            }
            guard read >= 0 else { throw .unreadable(ErrorNumber(code)) }
            guard read > 0 else { break }
            filled += read
            parts.drop(read)
        }
        return filled
    }

    /// What serves where nobody may wait; nil where the system cannot tell: on disks of other machines and of programs.
    init?(atHandOn folder: Int32) {
        switch kind_of_file_system(folder) {
        case Self.tmpfs: self = .waiting
        case let kind where Self.local.contains(kind): self = .cached
        default: return nil
        }
    }

    // statfs(2): all that is there is in memory, or was swapped out with the rest of the program; RWF_NOWAIT is not
    // known there.
    private static let tmpfs: UInt32 = 0x0102_1994
    // ext2 to ext4, XFS, Btrfs, F2FS, overlayfs.
    private static let local: Set<UInt32> = [0xEF53, 0x5846_5342, 0x9123_683E, 0xF2F5_2010, 0x794C_7630]

    /// IOV_MAX of Linux.
    private static let mostParts = 1024
}

extension ArraySlice<iovec> {
    /// Leaves out so many bytes at the start, and what is empty then.
    fileprivate mutating func drop(_ count: Int) {
        var count = count
        while let first, first.iov_len <= count {
            count -= first.iov_len
            removeFirst()
        }
        guard count > 0 else { return }
        self[startIndex].iov_base = self[startIndex].iov_base.map { $0 + count }
        self[startIndex].iov_len -= count
    }
}
