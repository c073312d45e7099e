#if !canImport(Darwin)
import Foundation

/// A stretch of a body that is put together from memory and from files.
enum BodyStretch: Sendable {
    case bytes(Data)
    /// The whole of a file, in the state in which it was found.
    case file(URL, FileVersion)

    var count: Int64 {
        switch self {
        case .bytes(let data): Int64(data.count)
        case .file(_, let version): version.size
        }
    }
}

/// Reads one stretch after another; of files it holds no more than what the reader asks for.
///
/// It can be made again, so that a body that has to be sent twice needs nobody to provide it.
final class ComposedStream: InputStream {
    private let stretches: [BodyStretch]
    private let start: Int64
    /// The stretch that is read, and how far.
    private var index: Int
    private var offset: Int64
    /// Open while a file is being read.
    private var file: SourceFile?
    private var status = Status.notOpen
    private var failure: URLError?

    /// - Parameter start: How many bytes to leave out at the beginning.
    init(_ stretches: [BodyStretch], from start: Int64 = 0) {
        self.stretches = stretches
        self.start = max(0, start)
        index = 0
        offset = self.start
        while index < stretches.count, offset >= stretches[index].count {
            offset -= stretches[index].count
            index += 1
        }
        super.init(data: Data())
    }

    /// Another one that gives the same bytes, not opened yet.
    func fresh() -> ComposedStream { ComposedStream(stretches, from: start) }

    /// Why it cannot be read on.
    var reason: String? { failure?.localizedDescription }

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
        do throws(URLError) {
            while !space.isEmpty, index < stretches.count {
                space = UnsafeMutableRawBufferPointer(rebasing: space[try read(stretches[index], into: space)...])
            }
        } catch {
            failure = error
            file = nil
            status = .error
            return -1
        }
        if space.count == maxLength, maxLength > 0 { status = .atEnd }
        return maxLength - space.count
    }

    /// Copies what fits, and goes on to the next stretch behind the last byte.
    private func read(_ stretch: BodyStretch, into space: UnsafeMutableRawBufferPointer) throws(URLError) -> Int {
        let wanted = Int(min(Int64(space.count), stretch.count - offset))
        let space = UnsafeMutableRawBufferPointer(rebasing: space[..<wanted])
        switch stretch {
        case .bytes(let data):
            let start = data.startIndex + Int(offset)
            data.copyBytes(to: space, from: start..<(start + wanted))
            advance(wanted, in: stretch)
            return wanted
        case .file(let url, let version):
            let file = try opened(url, version)
            let count = wanted == 0 ? 0 : try file.read(into: space, at: offset)
            // What is there after the last byte shows that all of them were of one state.
            if count < wanted || offset + Int64(count) == version.size { try file.check(is: version) }
            guard count > 0 || wanted == 0 else {
                throw URLError(.cannotOpenFile, "\(url.path) ends before byte \(version.size).")
            }
            advance(count, in: stretch)
            return count
        }
    }

    private func opened(_ url: URL, _ version: FileVersion) throws(URLError) -> SourceFile {
        if let file { return file }
        let opened = try SourceFile(url)
        try opened.check(is: version)
        file = opened
        return opened
    }

    private func advance(_ count: Int, in stretch: BodyStretch) {
        offset += Int64(count)
        guard offset == stretch.count else { return }
        file = nil
        offset = 0
        index += 1
    }
}
#endif
