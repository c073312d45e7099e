import Foundation

/// Names of `URLError` codes as scenarios write them.
enum ErrorName {
    static func name(of error: any Error) -> String {
        guard let error = error as? URLError else { return proxyName(of: error as NSError) ?? "\(type(of: error))" }
        return names.first { $0.0 == error.code }?.1 ?? "code \(error.code.rawValue)"
    }

    /// Errors of CFNetwork's own domain, which only proxies bring.
    private static func proxyName(of error: NSError) -> String? {
        guard error.domain == "kCFErrorDomainCFNetwork" else { return nil }
        return proxyNames[error.code] ?? "code \(error.code) of CFNetwork"
    }

    private static let proxyNames: [Int: String] = [
        101: "cfsocksErrorUnsupportedServerVersion", 110: "cfsocks4ErrorRequestFailed",
        111: "cfsocks4ErrorIdentdFailed", 112: "cfsocks4ErrorIdConflict", 113: "cfsocks4ErrorUnknownStatusCode",
        120: "cfsocks5ErrorBadState", 121: "cfsocks5ErrorBadResponseAddr", 122: "cfsocks5ErrorBadCredentials",
        123: "cfsocks5UnsupportedNegotiationMethod", 124: "cfsocks5NoAcceptableMethod",
        306: "cfErrorHTTPProxyConnectionFailure", 310: "cfErrorHTTPSProxyConnectionFailure",
        311: "cfStreamErrorHTTPSProxyFailureUnexpectedResponseToCONNECTMethod",
    ]

    static func error(named name: String) -> URLError { URLError(names.first { $0.1 == name }?.0 ?? .unknown) }

    private static let names: [(URLError.Code, String)] = [
        (.unknown, "unknown"), (.cancelled, "cancelled"), (.badURL, "badURL"), (.timedOut, "timedOut"),
        (.unsupportedURL, "unsupportedURL"), (.cannotFindHost, "cannotFindHost"),
        (.cannotConnectToHost, "cannotConnectToHost"), (.networkConnectionLost, "networkConnectionLost"),
        (.dnsLookupFailed, "dnsLookupFailed"), (.httpTooManyRedirects, "httpTooManyRedirects"),
        (.resourceUnavailable, "resourceUnavailable"), (.notConnectedToInternet, "notConnectedToInternet"),
        (.redirectToNonExistentLocation, "redirectToNonExistentLocation"), (.badServerResponse, "badServerResponse"),
        (.userCancelledAuthentication, "userCancelledAuthentication"),
        (.userAuthenticationRequired, "userAuthenticationRequired"), (.zeroByteResource, "zeroByteResource"),
        (.cannotDecodeRawData, "cannotDecodeRawData"), (.cannotDecodeContentData, "cannotDecodeContentData"),
        (.cannotParseResponse, "cannotParseResponse"), (.fileDoesNotExist, "fileDoesNotExist"),
        (.fileIsDirectory, "fileIsDirectory"), (.noPermissionsToReadFile, "noPermissionsToReadFile"),
        (.dataLengthExceedsMaximum, "dataLengthExceedsMaximum"), (.secureConnectionFailed, "secureConnectionFailed"),
        (.serverCertificateHasBadDate, "serverCertificateHasBadDate"),
        (.serverCertificateUntrusted, "serverCertificateUntrusted"),
        (.serverCertificateHasUnknownRoot, "serverCertificateHasUnknownRoot"),
        (.serverCertificateNotYetValid, "serverCertificateNotYetValid"),
        (.clientCertificateRejected, "clientCertificateRejected"),
        (.clientCertificateRequired, "clientCertificateRequired"),
        (.cannotCreateFile, "cannotCreateFile"), (.cannotOpenFile, "cannotOpenFile"),
        (.cannotCloseFile, "cannotCloseFile"), (.cannotWriteToFile, "cannotWriteToFile"),
        (.cannotRemoveFile, "cannotRemoveFile"), (.cannotMoveFile, "cannotMoveFile"),
        (.downloadDecodingFailedMidStream, "downloadDecodingFailedMidStream"),
        (.downloadDecodingFailedToComplete, "downloadDecodingFailedToComplete"),
        (.requestBodyStreamExhausted, "requestBodyStreamExhausted"),
    ]
}
