import ServerScript

/// One move of an answer that is sent in steps.
public struct SendMove: Hashable, Sendable {
    let step: SendStep

    /// What is left of the body.
    public static let rest = SendMove(step: .rest)
    /// What is left of the body, the last chunk and the trailers of a chunked answer.
    public static let trailers = SendMove(step: .trailers)
    /// Nothing more, on an open connection.
    public static let stall = SendMove(step: .stall)

    /// The next bytes of the body.
    public static func bytes(_ count: Int) -> SendMove { SendMove(step: .bytes(max(0, count))) }

    /// The next bytes of the body as one chunk of a chunked answer. `sizeLine` is sent in place of its true size:
    /// hexadecimal digits with or without extensions, or a lie.
    public static func chunk(_ count: Int, sizeLine: String? = nil) -> SendMove {
        SendMove(step: .chunk(max(0, count), sizeLine: sizeLine))
    }

    /// A pause.
    public static func wait(_ span: Duration) -> SendMove { SendMove(step: .wait(span)) }

    /// From here on at most this many bytes in one segment.
    public static func split(_ size: Int) -> SendMove { SendMove(step: .split(max(1, size))) }

    /// Bytes as they are, outside all framing.
    public static func raw(_ bytes: [UInt8]) -> SendMove { SendMove(step: .raw(.bytes(bytes))) }

    /// A text as it is, outside all framing, with words of the request in it as `ServerReply.set` explains them.
    public static func raw(_ text: String) -> SendMove { SendMove(step: .raw(.text(text))) }

    /// Lets answers go on that await this name.
    public static func signal(_ name: String) -> SendMove { SendMove(step: .signal(name)) }

    /// Goes on when the test calls `ScriptedServer.signal` with this name, or another answer gives the signal.
    public static func await(_ name: String) -> SendMove { SendMove(step: .await(name)) }
}
