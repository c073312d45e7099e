import ServerScript

/// The bytes of a reply, or of a request that is expected.
public struct ServerBody: Hashable, Sendable, ExpressibleByStringLiteral {
    let content: Content

    init(_ content: Content) { self.content = content }

    /// Text in UTF-8.
    public init(stringLiteral text: String) { self.init(.text(text)) }

    /// Text in UTF-8.
    public static func text(_ text: String) -> ServerBody { ServerBody(.text(text)) }

    /// These bytes.
    public static func bytes(_ bytes: [UInt8]) -> ServerBody { ServerBody(.bytes(bytes)) }

    /// `size` bytes, in which each word of 8 spells its own offset in hexadecimal: a difference says where it is.
    public static func counter(_ size: Int) -> ServerBody { ServerBody(.counter(size: max(0, size))) }

    /// `size` pseudo-random bytes, the same for the same seed.
    public static func random(_ size: Int, seed: UInt64 = 1) -> ServerBody {
        ServerBody(.random(seed: seed, size: max(0, size)))
    }

    /// This body, compressed for `Content-Encoding: gzip`. The field itself is up to the reply.
    public var gzipped: ServerBody { ServerBody(.compressed(content, .gzip)) }

    /// What can be wrong with a compressed body.
    public enum GzipDamage: Hashable, Sendable {
        /// Its second half is missing.
        case truncated
        /// Its CRC-32 is wrong.
        case checksum
        /// The plain size, in its last four bytes, is wrong.
        case length
    }

    /// This body compressed, and then damaged. One that only claims to be compressed is a plain body with the field
    /// `Content-Encoding: gzip`.
    public func gzipped(_ damage: GzipDamage) -> ServerBody {
        let damage: Content.Damage =
            switch damage {
            case .truncated: .truncated
            case .checksum: .checksum
            case .length: .length
            }
        return ServerBody(.compressed(content, .gzip, damage))
    }
}
