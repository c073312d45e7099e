#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics
import TLSBasics
import TLSEngine

/// Failures of the machines as the errors that a caller sees.
///
/// Always through `URLError.Code`, whose numbers are Apple's; Linux's `NSURLError…` constants for TLS are shifted by
/// one (BEHAVIOUR 1.A6).
package enum URLErrorMapping {
    /// The error with which a task completes.
    ///
    /// - Parameter request: Names the failing URL when the failure itself does not.
    package static func error(for failure: Failure, request: URLRequest? = nil) -> URLError {
        URLError(code(for: failure.kind), userInfo: userInfo(of: failure, request))
    }

    /// That of a proxy that does not let the task through (BEHAVIOUR 2.E4-codes); nil for all others.
    static func proxyError(for failure: Failure, request: URLRequest?) -> NSError? {
        proxyCode(for: failure.kind).map {
            NSError(
                domain: kCFErrorDomainCFNetwork as String, code: Int($0.rawValue),
                userInfo: userInfo(of: failure, request))
        }
    }

    private static func proxyCode(for kind: Failure.Kind) -> CFNetworkErrors? {
        switch kind {
        case .httpProxyConnectionFailure: .cfErrorHTTPProxyConnectionFailure
        case .httpsProxyConnectionFailure: .cfErrorHTTPSProxyConnectionFailure
        case .unexpectedConnectAnswer: .cfStreamErrorHTTPSProxyFailureUnexpectedResponseToCONNECTMethod
        case .socksUnsupportedServerVersion: .cfsocksErrorUnsupportedServerVersion
        case .socks4RequestFailed: .cfsocks4ErrorRequestFailed
        case .socks4IdentdFailed: .cfsocks4ErrorIdentdFailed
        case .socks4IDConflict: .cfsocks4ErrorIdConflict
        case .socks4UnknownStatusCode: .cfsocks4ErrorUnknownStatusCode
        case .socks5BadState: .cfsocks5ErrorBadState
        case .socks5BadResponseAddress: .cfsocks5ErrorBadResponseAddr
        case .socks5BadCredentials: .cfsocks5ErrorBadCredentials
        case .socks5UnsupportedNegotiationMethod: .cfsocks5UnsupportedNegotiationMethod
        case .socks5NoAcceptableMethod: .cfsocks5NoAcceptableMethod
        default: nil
        }
    }

    private static func userInfo(of failure: Failure, _ request: URLRequest?) -> [String: Any] {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: description(of: failure.kind)]
        if let url = failingURL(failure.url, request?.url) {
            userInfo[NSURLErrorFailingURLErrorKey] = url
            userInfo[failingURLStringKey] = url.absoluteString
        }
        if let resume = failure.resume, let data = ResumeDataCoding.encode(resume) {
            userInfo[NSURLSessionDownloadTaskResumeData] = data
        }
        if let upload = failure.upload, let data = UploadDataCoding.encode(upload) {
            userInfo[NSURLSessionUploadTaskResumeData] = data
        }
        if let reason = failure.obstacle?.reason { userInfo[NSURLErrorNetworkUnavailableReasonKey] = reason.rawValue }
        if let security = failure.security { add(security, of: failure.url, to: &userInfo) }
        if !failure.detail.isEmpty { userInfo[detailKey] = failure.detail }
        return userInfo
    }

    /// Programs read the chain under the one key or the other (BEHAVIOUR 2.B1-info).
    private static func add(_ security: SecureFailure, of url: URLReference?, to userInfo: inout [String: Any]) {
        if let problem = security.problem { userInfo[NSUnderlyingErrorKey] = SecStatus.error(for: problem, of: nil) }
        userInfo[NSLocalizedFailureReasonErrorKey] = security.detail
        // BEHAVIOUR 2.E11-codes.
        if let proxy = security.proxy {
            userInfo[kCFProxyHostNameKey as String] = proxy.host
            userInfo[kCFProxyPortNumberKey as String] = proxy.port
        }
        guard let peer = security.peer, !peer.chain.isEmpty else { return }
        userInfo[chainKey] = peer.chain.compactMap { SecCertificate($0) }
        guard let host = security.proxy?.host ?? url?.origin?.host else { return }
        userInfo[NSURLErrorFailingURLPeerTrustErrorKey] = SecTrust(
            peer, policies: [SecPolicyCreateSSL(true, host as CFString)], store: .system, date: nil)
    }

    private static let chainKey = "NSErrorPeerCertificateChainKey"

    /// Without user name and password, because errors are printed and logged.
    private static func failingURL(_ failed: URLReference?, _ requested: URL?) -> URL? {
        if let known = failed ?? requested.flatMap({ URLReference($0.absoluteString) }) {
            return URL(string: known.withoutUserInformation.string)
        }
        return requested?.user == nil ? requested : nil
    }

    /// The value of Foundation's `NSURLErrorFailingURLStringErrorKey`, which is deprecated but still read.
    private static let failingURLStringKey = "NSErrorFailingURLStringKey"

    /// What happened, in which phase, and what helps: for people who look for the cause. `String(describing:)` of the
    /// error shows it.
    private static let detailKey = NSDebugDescriptionErrorKey

    static func code(for kind: Failure.Kind) -> URLError.Code {
        switch kind {
        case .unknown, .supplied: return .unknown
        case .cancelled: return .cancelled
        case .badURL: return .badURL
        case .timedOut: return .timedOut
        case .unsupportedURL: return .unsupportedURL
        case .resourceUnavailable: return .resourceUnavailable
        case .cannotFindHost: return .cannotFindHost
        case .cannotConnectToHost: return .cannotConnectToHost
        case .networkConnectionLost: return .networkConnectionLost
        case .notConnectedToInternet: return .notConnectedToInternet
        case .httpTooManyRedirects: return .httpTooManyRedirects
        case .redirectToNonExistentLocation: return .redirectToNonExistentLocation
        case .cannotParseResponse: return .cannotParseResponse
        case .cannotDecodeRawData: return .cannotDecodeRawData
        case .cannotDecodeContentData: return .cannotDecodeContentData
        case .dataLengthExceedsMaximum: return .dataLengthExceedsMaximum
        case .requestBodyStreamExhausted: return .requestBodyStreamExhausted
        case .secureConnectionFailed: return .secureConnectionFailed
        case .serverCertificateUntrusted: return .serverCertificateUntrusted
        case .clientCertificateRejected: return .clientCertificateRejected
        case .clientCertificateRequired: return .clientCertificateRequired
        case .fileDoesNotExist: return .fileDoesNotExist
        case .fileIsDirectory: return .fileIsDirectory
        case .noPermissionsToReadFile: return .noPermissionsToReadFile
        case .downloadDecodingFailedMidStream: return .downloadDecodingFailedMidStream
        case .downloadDecodingFailedToComplete: return .downloadDecodingFailedToComplete
        case .cannotCreateFile: return .cannotCreateFile
        case .cannotOpenFile: return .cannotOpenFile
        case .cannotCloseFile: return .cannotCloseFile
        case .cannotWriteToFile: return .cannotWriteToFile
        case .cannotMoveFile: return .cannotMoveFile
        // They are no URLErrors; see `proxyError`.
        case .httpProxyConnectionFailure, .httpsProxyConnectionFailure, .unexpectedConnectAnswer,
            .socksUnsupportedServerVersion, .socks4RequestFailed, .socks4IdentdFailed, .socks4IDConflict,
            .socks4UnknownStatusCode, .socks5BadState, .socks5BadResponseAddress, .socks5BadCredentials,
            .socks5UnsupportedNegotiationMethod, .socks5NoAcceptableMethod:
            return .cannotConnectToHost
        }
    }

    /// What Foundation says of each code, which programs compare with and show; our own words are under `detailKey`
    /// (BEHAVIOUR 1.A6-text).
    private static func description(of kind: Failure.Kind) -> String {
        switch kind {
        case .unknown, .supplied: return "unknown error"
        case .cancelled: return "cancelled"
        case .badURL: return "bad URL"
        case .timedOut: return "The request timed out."
        case .unsupportedURL: return "unsupported URL"
        case .resourceUnavailable: return "resource unavailable"
        case .cannotFindHost: return "A server with the specified hostname could not be found."
        case .cannotConnectToHost: return "Could not connect to the server."
        case .networkConnectionLost: return "The network connection was lost."
        case .notConnectedToInternet: return "The Internet connection appears to be offline."
        case .httpTooManyRedirects: return "too many HTTP redirects"
        case .redirectToNonExistentLocation: return "redirected to nowhere"
        case .cannotParseResponse: return "cannot parse response"
        case .cannotDecodeRawData: return "cannot decode raw data"
        case .cannotDecodeContentData: return "cannot decode content data"
        case .dataLengthExceedsMaximum: return "resource exceeds maximum size"
        case .requestBodyStreamExhausted: return "request body stream exhausted"
        case .secureConnectionFailed:
            return "An SSL error has occurred and a secure connection to the server cannot be made."
        case .serverCertificateUntrusted: return "The certificate for this server is invalid."
        case .clientCertificateRejected: return "The server did not accept the certificate."
        case .clientCertificateRequired: return "The server requires a client certificate."
        case .fileDoesNotExist: return "The requested URL was not found on this server."
        case .fileIsDirectory: return "file is directory"
        case .noPermissionsToReadFile: return "You do not have permission to access the requested resource."
        case .downloadDecodingFailedMidStream: return "download decoding failed mid stream"
        case .downloadDecodingFailedToComplete: return "download decoding failed to complete"
        case .cannotCreateFile: return "cannot create file"
        case .cannotOpenFile: return "cannot open file"
        case .cannotCloseFile: return "cannot close file"
        case .cannotWriteToFile: return "cannot write to file"
        case .cannotMoveFile: return "cannot move file"
        case .httpProxyConnectionFailure: return "There was a problem communicating with the web proxy server (HTTP)."
        case .httpsProxyConnectionFailure, .unexpectedConnectAnswer:
            return "There was a problem communicating with the secure web proxy server (HTTPS)."
        case .socksUnsupportedServerVersion, .socks4RequestFailed, .socks4IdentdFailed, .socks4IDConflict,
            .socks4UnknownStatusCode, .socks5BadState, .socks5BadResponseAddress, .socks5BadCredentials,
            .socks5UnsupportedNegotiationMethod, .socks5NoAcceptableMethod:
            return "There was a problem communicating with the SOCKS proxy server."
        }
    }
}
#endif
