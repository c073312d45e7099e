#if !canImport(Darwin)
import ClientMachines
import Foundation

extension SlicedUpload {
    /// Which bytes of which file the server has: small, whatever the size of the file.
    ///
    /// A value of a few numbers; encode it with any encoder. It names no file and no server, and holds no secret.
    public struct State: Codable, Hashable, Sendable {
        let version: FileVersion
        let stored: FileRanges

        private enum CodingKeys: String, CodingKey { case format, file, stored }
        private static let format = 1

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
            do {
                data = try Data(contentsOf: url)
            } catch {
                if !FileManager.default.fileExists(atPath: url.path) { return nil }
                throw URLError(.cannotOpenFile, "\(url.path) cannot be read: \(error.localizedDescription)")
            }
            do {
                self = try JSONDecoder().decode(State.self, from: data)
            } catch {
                throw URLError(.cannotDecodeRawData, "\(url.path) holds no state of a sliced upload.")
            }
        }

        /// In one step: whoever reads it finds this state or the one before.
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
