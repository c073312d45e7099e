#if !canImport(Darwin)
import BodyFiles
import ClientMachines
import Foundation
import NIOCore

extension SlicedUpload {
    /// Which bytes of which file the server has: small even if the file is large.
    ///
    /// A value of a few numbers; encode it with any encoder. It names no file and no server, and holds no secret.
    public struct State: Codable, Hashable, Sendable {
        let version: FileVersion
        let stored: FileRanges

        private enum CodingKeys: String, CodingKey { case format, file, stored }
        private static let format = 1
        /// Far above any state, far below what would hurt to read.
        private static let byteLimit = 1 << 20
        private static let pieceBytes = 16 << 10

        init(version: FileVersion, stored: FileRanges) {
            self.version = version
            self.stored = stored
        }

        /// Bytes of the file.
        public var fileSize: Int64 { version.size }
        /// Bytes that the server has.
        public var storedLength: Int64 { stored.count }

        /// Fails with `DecodingError.dataCorrupted` for what no upload has written.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            version = try values.decode(FileVersion.self, forKey: .file)
            let bounds = try values.decode([[Int64]].self, forKey: .stored)
            let ranges = bounds.compactMap { $0.count == 2 && $0[0] < $0[1] ? $0[0]..<$0[1] : nil }
            guard try values.decode(Int.self, forKey: .format) == Self.format, ranges.count == bounds.count,
                let stored = FileRanges(ranges, within: version.size)
            else {
                throw DecodingError.dataCorruptedError(
                    forKey: .stored, in: values, debugDescription: "no state of a sliced upload")
            }
            self.stored = stored
        }

        /// As numbers under three keys.
        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(Self.format, forKey: .format)
            try values.encode(version, forKey: .file)
            try values.encode(stored.list.map { [$0.lowerBound, $0.upperBound] }, forKey: .stored)
        }

        /// Nil when there is no such file.
        init?(contentsOf url: URL) throws(URLError) {
            let data: Data
            do throws(SourceFile.Trouble) {
                data = try Self.read(SourceFile(path: url.path))
            } catch {
                if error.kind == .fileDoesNotExist { return nil }
                throw URLError(.cannotOpenFile, "\(url.path) cannot be read: \(error.detail)")
            }
            do {
                guard data.count <= Self.byteLimit else { throw CocoaError(.fileReadTooLarge) }
                self = try JSONDecoder().decode(State.self, from: data)
            } catch {
                throw URLError(.cannotDecodeRawData, "\(url.path) holds no state of a sliced upload.")
            }
        }

        /// Not much more than a state may have: then it is none.
        private static func read(_ file: SourceFile) throws(SourceFile.Trouble) -> Data {
            var bytes = ByteBuffer()
            while bytes.readableBytes <= byteLimit {
                let offset = Int64(bytes.readableBytes)
                let count = try bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: pieceBytes) {
                    (space) throws(SourceFile.Trouble) in
                    try file.read(into: UnsafeMutableRawBufferPointer(rebasing: space[..<pieceBytes]), at: offset)
                }
                if count == 0 { break }
            }
            return Data(bytes.readableBytesView)
        }

        /// In one step: a reader finds this state or the one before.
        func write(to url: URL) throws(URLError) {
            do {
                try JSONEncoder().encode(self).write(to: url, options: .atomic)
            } catch {
                throw URLError(
                    .cannotWriteToFile, "The state cannot be saved in \(url.path): \(error.localizedDescription)")
            }
        }
    }
}
#endif
