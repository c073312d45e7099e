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

    /// Fills the space.
    ///
    /// - Returns: How many bytes there are, fewer than asked for only at the end of the file.
    func read(
        _ descriptor: Int32, at offset: Int64, into space: UnsafeMutableRawBufferPointer
    ) throws(CacheTrouble) -> Int {
        var filled = 0
        while filled < space.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: space[filled...]), place = off_t(offset) + filled
            let (read, code) = retrying {
                self == .waiting
                    ? pread(descriptor, rest.baseAddress, rest.count, place)
                    : read_cached(descriptor, rest.baseAddress, rest.count, place)
            }
            guard read >= 0 else { throw .unreadable(ErrorNumber(code)) }
            guard read > 0 else { break }
            filled += read
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
}
