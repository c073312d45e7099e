#if !canImport(Darwin)
/// A version of TLS, under Apple's name; the raw value is its number on the wire.
///
/// The versions for datagrams are there for their names only: no session uses them.
public enum tls_protocol_version_t: UInt16, Sendable {
    case TLSv10 = 0x0301
    case TLSv11 = 0x0302
    case TLSv12 = 0x0303
    case TLSv13 = 0x0304
    case DTLSv10 = 0xfeff
    case DTLSv12 = 0xfefd
}
#endif
