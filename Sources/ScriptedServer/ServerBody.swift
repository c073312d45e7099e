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
}
