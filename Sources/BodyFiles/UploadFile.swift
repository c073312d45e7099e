import ClientMachines
import NIOCore

/// A file that a body is made of, open while it is sent. Both worlds share it, so that a missing or changing file looks
/// the same in both.
///
/// What is sent is the file that was there when it was opened, even if its name goes to another one meanwhile.
package final class UploadFile: Sendable {
    /// As it was opened. What the file grows by later is not sent.
    package let version: FileVersion
    /// What was asked for: with a version, it may be sent in that one only.
    package let identity: BodyFile
    private let source: SourceFile

    /// May wait for the disk.
    ///
    /// - Throws: What is wrong with the file; of one that is to be of a version, always `requestBodyStreamExhausted`
    ///   (BEHAVIOUR 1.I5, 3.A1-changed).
    package init(_ file: BodyFile) throws(SourceFile.Trouble) {
        identity = file
        do throws(SourceFile.Trouble) {
            source = try SourceFile(path: file.path)
            if let wanted = file.version {
                try source.check(is: wanted)
                version = wanted
            } else {
                version = try source.version()
            }
        } catch {
            throw file.version == nil ? error : SourceFile.Trouble(.requestBodyStreamExhausted, error.detail)
        }
    }

    package var descriptor: Int32 { source.descriptor }

    /// Looks at the file once more; nil if `file` is another one.
    package func again(_ file: BodyFile) -> Result<UploadFile, SourceFile.Trouble>? {
        guard file == identity else { return nil }
        return trouble(upTo: version.size).map { .failure($0) } ?? .success(self)
    }

    /// What is wrong with the file if it has changed: it must have its version, or at least `end` bytes where it has
    /// none (BEHAVIOUR 1.I5-shorter, 3.A1-changed).
    package func trouble(upTo end: Int64) -> SourceFile.Trouble? {
        do throws(SourceFile.Trouble) {
            if identity.version != nil {
                try source.check(is: version)
            } else if try source.version().size < end {
                return Self.shortened
            }
            return nil
        } catch {
            return SourceFile.Trouble(.requestBodyStreamExhausted, error.detail)
        }
    }

    /// Fills `space` with the bytes from there, of a file that had not changed when they had been read. For transports
    /// without `sendfile`.
    package func fill(_ space: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceFile.Trouble) {
        var filled = 0
        while filled < space.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: space[filled...])
            let count = try source.read(into: rest, at: offset + Int64(filled))
            guard count > 0 else { break }
            filled += count
        }
        if let trouble = trouble(upTo: offset + Int64(space.count)) { throw trouble }
        // A file without a version may have become shorter and longer again.
        if filled < space.count { throw Self.shortened }
    }

    package func read(offset: Int64, count: Int) throws(SourceFile.Trouble) -> ByteBuffer {
        var piece = ByteBufferAllocator().buffer(capacity: count)
        try piece.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { (space) throws(SourceFile.Trouble) in
            try fill(UnsafeMutableRawBufferPointer(rebasing: space[..<count]), at: offset)
            return count
        }
        return piece
    }

    private static let shortened = SourceFile.Trouble(
        .requestBodyStreamExhausted, "The file became shorter while it was sent.")
}
