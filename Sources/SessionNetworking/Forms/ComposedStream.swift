#if !canImport(Darwin)
import BodyFiles
import ClientMachines
import Foundation

/// A composed body for a protocol class or the caller to read. A session that is given one sends the
/// body itself.
final class ComposedStream: InputStream {
    let body: ComposedBody
    private var cursor: BodyCursor
    /// The one that is being read.
    private var file: (identity: BodyFile, open: UploadFile)?
    private var status = Status.notOpen
    private var failure: URLError?

    init(_ body: ComposedBody) {
        self.body = body
        cursor = BodyCursor(body)
        super.init(data: Data())
    }

    override func open() {
        if status == .notOpen { status = .open }
    }

    override func close() {
        file = nil
        status = .closed
    }

    override var streamStatus: Status { status }
    override var streamError: (any Error)? { failure }
    override var hasBytesAvailable: Bool { status == .open }

    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length: UnsafeMutablePointer<Int>
    ) -> Bool { false }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        guard status == .open else { return status == .atEnd ? 0 : -1 }
        var space = UnsafeMutableRawBufferPointer(start: buffer, count: maxLength)
        do throws(SourceFile.Trouble) {
            while !space.isEmpty, let stretch = cursor.stretch {
                let count = try read(stretch, into: space)
                cursor.advance(by: count)
                space = UnsafeMutableRawBufferPointer(rebasing: space[count...])
            }
        } catch {
            failure = URLError(error)
            file = nil
            status = .error
            return -1
        }
        if space.count == maxLength, maxLength > 0 {
            file = nil
            status = .atEnd
        }
        return maxLength - space.count
    }

    /// Copies what fits.
    private func read(
        _ stretch: BodyStretch, into space: UnsafeMutableRawBufferPointer
    ) throws(SourceFile.Trouble) -> Int {
        let count = Int(min(Int64(space.count), stretch.count))
        switch stretch {
        case .bytes(let bytes):
            bytes.withUnsafeReadableBytes { space.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        case .memory(let memory, let range):
            let part = memory.bytes.copy(range.lowerBound..<range.lowerBound + Int64(count))
            part.withUnsafeReadableBytes { space.copyMemory(from: $0) }
        case .file(let identity, let range):
            try opened(identity).fill(UnsafeMutableRawBufferPointer(rebasing: space[..<count]), at: range.lowerBound)
        }
        return count
    }

    private func opened(_ identity: BodyFile) throws(SourceFile.Trouble) -> UploadFile {
        if let file, file.identity == identity { return file.open }
        let open = try UploadFile(identity)
        file = (identity, open)
        return open
    }
}
#endif
