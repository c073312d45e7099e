/// Bytes that a script names: written out, generated, or read from a file beside the scenario.
///
/// Generated content of any size is computed where it is needed and never held as a whole.
package enum Content: Hashable, Sendable {
    case bytes([UInt8])
    /// In UTF-8, with `$origin` replaced where a server sends it.
    case text(String)
    /// Each 8-byte word spells its own offset in hexadecimal, so that a diff says where.
    case counter(size: Int)
    /// Pseudo-random from a seed: incompressible, repeatable.
    case random(seed: UInt64, size: Int)
    /// One byte, many times.
    case fill(UInt8, size: Int)
    /// Another content, compressed, and what was then broken of it on purpose.
    indirect case compressed(Content, Coding, Damage? = nil)

    package enum Coding: String, CaseIterable, Hashable, Sendable {
        case gzip, deflate, rawDeflate, brotli, zstd

        /// gzip ends with a checksum and a length (RFC 1952 2.3.1), zlib and zstd with a checksum (RFC 1950 2.2,
        /// RFC 8878 3.1.1).
        package var legalDamages: [Damage] {
            switch self {
            case .gzip: [.truncated, .checksum, .length]
            case .deflate, .zstd: [.truncated, .checksum]
            case .rawDeflate, .brotli: [.truncated]
            }
        }

        /// In Content-Encoding.
        package var name: String {
            switch self {
            case .gzip: "gzip"
            case .deflate, .rawDeflate: "deflate"
            case .brotli: "br"
            case .zstd: "zstd"
            }
        }

        /// The same where it takes libraries that not every machine has.
        package var system: SystemCoding? {
            switch self {
            case .gzip, .deflate, .rawDeflate: nil
            case .brotli: .brotli
            case .zstd: .zstd
            }
        }
    }

    package enum Damage: String, CaseIterable, Hashable, Sendable {
        /// The second half is missing.
        case truncated
        case checksum
        /// The number of plain bytes, which gzip writes last of all.
        case length
    }

    package static let empty = Content.text("")

    /// A library that this machine lacks to compress it; nil if it lacks none.
    package var missingLibrary: String? {
        guard case .compressed(let inner, let coding, _) = self else { return nil }
        return coding.system?.missingLibrary ?? inner.missingLibrary
    }
}
