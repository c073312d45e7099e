import BodyFiles
import NIOCore

/// Reads the body of an entry, some blocks at once; no byte comes out before its block's checksum was found right.
///
/// For one caller at a time.
package final class CacheReader {
    /// How much one call gives at most: a mebibyte.
    package static let mostBytes = mostBlocks * EntryLayout.blockBytes
    private static let mostBlocks = 16
    /// 256 KiB are read, then checked while the processor still has them at hand.
    private static let blocksAtOnce = 4

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
                verified = try nextBlocks(max(1, min(count / EntryLayout.blockBytes, Self.mostBlocks)))
            } catch {
                trouble = error
                folder.remove(entry)
                throw error
            }
        }
        return verified.readSlice(length: min(count, verified.readableBytes))
    }

    /// The whole body, if nobody has to wait for it; what is wrong with the file is found by who waits.
    func readAtHand(_ access: DiskAccess) -> ByteBuffer? {
        let layout = entry.layout
        guard layout.blocks > 0 else { return ByteBuffer() }
        guard layout.bodyLength <= Int64(Self.mostBytes), delay == .zero,
            let body = try? nextBlocks(Self.mostBlocks, access), block == layout.blocks
        else { return nil }
        return body
    }

    /// Nothing is left to be read.
    package var isAtEnd: Bool { verified.readableBytes == 0 && block >= entry.layout.blocks }

    /// How long the disk takes for what is read next, apart from itself.
    package var delay: Duration {
        verified.readableBytes > 0 || block >= entry.layout.blocks ? .zero : delay(of: block)
    }

    private func delay(of block: Int64) -> Duration { folder.delay(of: .read(from: offset(behind: block))) }

    /// How much of the body is behind a block.
    private func offset(behind block: Int64) -> Int64 { entry.layout.end(ofBlock: block) - entry.layout.bodyStart }

    /// How many of the next blocks are read without another delay, or a fault.
    private func count(_ most: Int) throws(CacheTrouble) -> Int {
        let faults = folder.faults, rest = entry.layout.blocks - block
        if let code = faults.code(ofReadTo: offset(behind: block)) { throw .unreadable(ErrorNumber(code)) }
        var count = 1
        while count < most, Int64(count) < rest {
            let next = block + Int64(count)
            guard delay(of: next) == .zero, faults.code(ofReadTo: offset(behind: next)) == nil else { break }
            count += 1
        }
        return count
    }

    private func nextBlocks(_ most: Int, _ access: DiskAccess = .waiting) throws(CacheTrouble) -> ByteBuffer {
        let layout = entry.layout, blocks = block..<block + Int64(try count(most))
        let length = Int(layout.end(ofBlock: blocks.upperBound - 1) - layout.start(ofBlock: block))
        var body = ByteBufferAllocator().buffer(capacity: length)
        var trouble: CacheTrouble?
        body.writeWithUnsafeMutableBytes(minimumWritableBytes: length) { space in
            do throws(CacheTrouble) {
                try read(blocks, into: UnsafeMutableRawBufferPointer(rebasing: space[..<length]), access)
            } catch {
                trouble = error
            }
            return length
        }
        if let trouble { throw trouble }
        block = blocks.upperBound
        return body
    }

    private func read(
        _ blocks: Range<Int64>, into space: UnsafeMutableRawBufferPointer, _ access: DiskAccess
    ) throws(CacheTrouble) {
        let layout = entry.layout, offset = layout.start(ofBlock: blocks.lowerBound)
        for first in stride(from: blocks.lowerBound, to: blocks.upperBound, by: Self.blocksAtOnce) {
            let some = first..<min(first + Int64(Self.blocksAtOnce), blocks.upperBound)
            let start = layout.start(ofBlock: first), end = layout.end(ofBlock: some.upperBound - 1)
            let part = UnsafeMutableRawBufferPointer(rebasing: space[Int(start - offset)..<Int(end - offset)])
            guard try read(into: part, at: start, access) == part.count else { throw .damaged }
            folder.faults.alter(part, readFrom: start - layout.bodyStart)
            for index in some {
                let place = Int(layout.start(ofBlock: index) - offset)
                let block = UnsafeRawBufferPointer(rebasing: space[place..<place + layout.length(ofBlock: index)])
                guard layout.isWhole(index, block, entry.checksums) else { throw .damaged }
            }
        }
    }

    /// From the first bytes of the file, which are in memory, or from the file.
    private func read(
        into space: UnsafeMutableRawBufferPointer, at start: Int64, _ access: DiskAccess
    ) throws(CacheTrouble) -> Int {
        let known = entry.file.start
        guard start + Int64(space.count) <= Int64(known.count) else {
            return try access.read(entry.file.descriptor, at: start, into: space)
        }
        space.copyBytes(from: known[Int(start)..<Int(start) + space.count])
        return space.count
    }
}
