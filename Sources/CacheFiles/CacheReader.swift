import BodyFiles
import Glibc
import NIOCore

/// Reads the body of an entry, block by block; no byte comes out before its block's checksum was found right.
///
/// For one caller at a time.
package final class CacheReader {
    private let entry: CacheEntry
    private let folder: CacheFolder
    private var block: Int64 = 0
    private var verified = ByteBuffer()
    private var trouble: CacheTrouble?

    init(_ entry: CacheEntry, in folder: CacheFolder) { (self.entry, self.folder) = (entry, folder) }

    /// The next at most `count` bytes; nil behind the last.
    ///
    /// - Throws: What is wrong with the file; the entry is removed then.
    package func read(upTo count: Int) throws(CacheTrouble) -> ByteBuffer? {
        if let trouble { throw trouble }
        guard count > 0 else { return nil }
        if verified.readableBytes == 0 {
            guard block < entry.layout.blocks else { return nil }
            do throws(CacheTrouble) {
                verified = try nextBlock()
            } catch {
                trouble = error
                folder.remove(entry)
                throw error
            }
        }
        return verified.readSlice(length: min(count, verified.readableBytes))
    }

    /// Nothing is left to be read.
    package var isAtEnd: Bool { verified.readableBytes == 0 && block >= entry.layout.blocks }

    /// How long the disk takes for what is read next, apart from itself.
    package var delay: Duration {
        verified.readableBytes > 0 || block >= entry.layout.blocks
            ? .zero : folder.delay(of: .read(from: offset(behind: block)))
    }

    /// How much of the body is behind a block.
    private func offset(behind block: Int64) -> Int64 {
        block * Int64(EntryLayout.blockBytes) + Int64(entry.layout.length(ofBlock: block))
    }

    private func nextBlock() throws(CacheTrouble) -> ByteBuffer {
        let layout = entry.layout
        let start = layout.start(ofBlock: block), length = layout.length(ofBlock: block)
        let count = length + EntryLayout.checksumBytes
        let known = entry.file.start
        if let code = folder.faults.code(ofReadTo: offset(behind: block)) { throw .unreadable(ErrorNumber(code)) }
        var bytes = ByteBuffer()
        if start + Int64(count) <= Int64(known.count) {
            bytes.writeBytes(known[Int(start)..<Int(start) + count])
        } else {
            bytes = try EntryFile.readBuffer(entry.file.descriptor, at: start, count: count)
        }
        guard bytes.readableBytes == count,
            let written = bytes.getInteger(at: bytes.readerIndex + length, endianness: .little, as: UInt32.self)
        else { throw .damaged }
        bytes.moveWriterIndex(to: bytes.writerIndex - EntryLayout.checksumBytes)
        let checksum = bytes.withUnsafeReadableBytes { layout.checksum(ofBlock: block, $0) }
        guard checksum == written else { throw .damaged }
        block += 1
        return bytes
    }
}

extension EntryFile {
    /// The same as `read`, into a buffer.
    fileprivate static func readBuffer(
        _ descriptor: Int32, at offset: Int64, count: Int
    ) throws(CacheTrouble) -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        var failure: Int32?
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { space in
            var filled = 0
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: space[filled..<count])
                let (read, code) = retrying { pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + filled) }
                if read < 0 { failure = code }
                guard read > 0 else { break }
                filled += read
            }
            return filled
        }
        if let failure { throw .unreadable(ErrorNumber(failure)) }
        return buffer
    }
}
