import NIOCore
import NIOHTTP1

/// What the control interface bounds.
package struct ControlLimits: Hashable, Sendable {
    /// At one time.
    package var connections = 64
    /// A scenario file's text, or a request's JSON.
    package var bodyBytes = 1 << 20
    /// From the first byte of a request to its last.
    var requestTime = TimeAmount.seconds(30)

    package init() {}

    /// 64 KiB, and 256 fields.
    static var heads: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 64 << 10
        limits.maxHeaderListSize = 64 << 10
        limits.maxHeaderFieldCount = 256
        return limits
    }
}
