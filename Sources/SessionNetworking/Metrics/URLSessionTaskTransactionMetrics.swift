#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics

/// How one request and its response went: when, over which connection, how many bytes.
///
/// A date is nil when its point was not reached, or does not exist: a connection that is used again is neither looked
/// up nor opened, and one without TLS is not secured. What a protocol class answers, and a `data:` or `file:` URL, has
/// no connection, sends no request and receives nothing over the network: of the phases only the response has dates.
/// Immutable; may be used from any thread.
/// Source: developer.apple.com, URLSessionTaskTransactionMetrics.
open class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
    // Safety: immutable.

    private let transaction: Transaction
    private let clock: ClockReading
    private let sentRequest: URLRequest
    private let receivedResponse: URLResponse?

    init(_ transaction: Transaction, _ request: URLRequest, _ response: URLResponse?, _ clock: ClockReading) {
        self.transaction = transaction
        self.clock = clock
        sentRequest = request
        receivedResponse = response
        super.init()
    }

    private func date(_ instant: Instant?) -> Date? { instant.map(clock.date) }

    /// The request that was tried.
    open var request: URLRequest { sentRequest }

    /// Its response, of a protocol class the object that it gave; nil when no head has come.
    open var response: URLResponse? { receivedResponse }

    // MARK: - When

    /// When the task turned to this request.
    open var fetchStartDate: Date? { date(transaction.fetchStart) }

    /// When the host's name was given to the resolver.
    open var domainLookupStartDate: Date? { date(transaction.lookup?.start) }

    /// When its addresses were there.
    open var domainLookupEndDate: Date? { date(transaction.lookup?.end) }

    /// When the first address was tried.
    open var connectStartDate: Date? { date(transaction.connect?.start) }

    /// When TLS began to secure the connection; nil without TLS, and for a connection that was used before.
    open var secureConnectionStartDate: Date? { date(transaction.secure?.start) }

    /// When the connection was secure.
    open var secureConnectionEndDate: Date? { date(transaction.secure?.end) }

    /// When the connection was open, and secure where it had to be.
    open var connectEndDate: Date? { date(transaction.connect?.end) }

    /// When the first bytes of the request were handed to the network.
    open var requestStartDate: Date? { date(transaction.sending?.start) }

    /// When the network had taken the last byte of the request; nil when it never went out whole.
    open var requestEndDate: Date? { date(transaction.sending?.end) }

    /// When the first byte of an answer came, informational or final, or a protocol class told of a response; before
    /// `requestEndDate` when the server does not wait for the whole request.
    open var responseStartDate: Date? { date(transaction.receiving?.start) }

    /// When the last byte of the response came, however long a delegate let it lie; nil when the response was not
    /// received to its end.
    open var responseEndDate: Date? { date(transaction.receiving?.end) }

    // MARK: - How

    /// The protocol's ALPN identifier, `http/1.1` or `http/1.0`; nil when there was no connection.
    open var networkProtocolName: String? {
        guard transaction.carrier != nil else { return nil }
        return transaction.response?.head.minorVersion == 0 ? "http/1.0" : "http/1.1"
    }

    /// The version of TLS that the connection speaks; nil without TLS.
    open var negotiatedTLSProtocolVersion: tls_protocol_version_t? {
        (transaction.carrier?.security?.version.rawValue).flatMap { tls_protocol_version_t(rawValue: $0) }
    }

    /// The cipher suite that protects the connection; nil without TLS, and for one that Apple's list does not have.
    open var negotiatedTLSCipherSuite: tls_ciphersuite_t? {
        (transaction.carrier?.security?.cipherSuite).flatMap { tls_ciphersuite_t(rawValue: $0) }
    }

    /// Whether a proxy lay between, or would have: also where it could not be reached, or refused. `remoteAddress` is
    /// the proxy's then, and `networkProtocolName` is what was spoken with the server, or with a proxy that sends
    /// requests on.
    open var isProxyConnection: Bool { transaction.isProxied }

    /// Whether the connection had carried another request before.
    open var isReusedConnection: Bool { transaction.carrier?.isReused ?? false }

    /// `networkLoad`; `localCache` for what the session's cache has answered; `unknown` when there was no connection.
    open var resourceFetchType: URLSessionTaskMetrics.ResourceFetchType {
        transaction.isFromCache ? .localCache : transaction.carrier == nil ? .unknown : .networkLoad
    }

    /// Always `unknown`: the system's resolver does not tell.
    open var domainResolutionProtocol: URLSessionTaskMetrics.DomainResolutionProtocol { .unknown }

    /// Our own address; nil without a connection.
    open var localAddress: String? { transaction.carrier?.local?.text }

    /// Our own port; nil without a connection.
    open var localPort: Int? { transaction.carrier?.local?.port }

    /// The server's address; nil without a connection.
    open var remoteAddress: String? { transaction.carrier?.remote?.text }

    /// The server's port; nil without a connection.
    open var remotePort: Int? { transaction.carrier?.remote?.port }

    /// Always false: Linux does not tell.
    open var isCellular: Bool { false }

    /// Always false: Linux does not tell.
    open var isExpensive: Bool { false }

    /// Always false: Linux does not tell.
    open var isConstrained: Bool { false }

    /// Both ends of the connection speak multipath TCP (see `URLSessionConfiguration.multipathServiceType`).
    open var isMultipath: Bool { transaction.carrier?.isMultipath ?? false }

    // MARK: - How much

    /// Bytes of the request line and the fields.
    open var countOfRequestHeaderBytesSent: Int64 { transaction.sent.head }

    /// Bytes of the body that the network took, chunk framing included.
    open var countOfRequestBodyBytesSent: Int64 { transaction.sent.body }

    /// The same without the framing.
    open var countOfRequestBodyBytesBeforeEncoding: Int64 { transaction.sent.plainBody }

    /// Bytes of the status line and the fields, of informational responses as well.
    open var countOfResponseHeaderBytesReceived: Int64 { transaction.received.head }

    /// Bytes of the body as they came, compressed and in chunks.
    open var countOfResponseBodyBytesReceived: Int64 { transaction.received.body }

    /// Bytes of the body that the caller or the file was given; 0 for the body of a redirect, which is not delivered.
    open var countOfResponseBodyBytesAfterDecoding: Int64 { transaction.received.plainBody }
}
#endif
