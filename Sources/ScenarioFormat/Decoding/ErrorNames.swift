/// Names of `URLError.Code` that a scenario may expect (behaviour part 1, A.6).
enum ErrorNames {
    static let all = [
        "unknown", "cancelled", "badURL", "timedOut", "unsupportedURL", "cannotFindHost", "cannotConnectToHost",
        "networkConnectionLost", "dnsLookupFailed", "httpTooManyRedirects", "resourceUnavailable",
        "notConnectedToInternet", "redirectToNonExistentLocation", "badServerResponse", "userCancelledAuthentication",
        "userAuthenticationRequired", "zeroByteResource", "cannotDecodeRawData", "cannotDecodeContentData",
        "cannotParseResponse", "internationalRoamingOff", "callIsActive", "dataNotAllowed",
        "requestBodyStreamExhausted", "appTransportSecurityRequiresSecureConnection", "fileDoesNotExist",
        "fileIsDirectory", "noPermissionsToReadFile", "dataLengthExceedsMaximum", "secureConnectionFailed",
        "serverCertificateHasBadDate", "serverCertificateUntrusted", "serverCertificateHasUnknownRoot",
        "serverCertificateNotYetValid", "clientCertificateRejected", "clientCertificateRequired",
        "cannotLoadFromNetwork", "cannotCreateFile", "cannotOpenFile", "cannotCloseFile", "cannotWriteToFile",
        "cannotRemoveFile", "cannotMoveFile", "downloadDecodingFailedMidStream", "downloadDecodingFailedToComplete",
        "backgroundSessionRequiresSharedContainer", "backgroundSessionInUseByAnotherProcess",
        "backgroundSessionWasDisconnected",
        // Of kCFErrorDomainCFNetwork.
        "cfsocksErrorUnsupportedServerVersion", "cfsocks4ErrorRequestFailed", "cfsocks4ErrorIdentdFailed",
        "cfsocks4ErrorIdConflict", "cfsocks4ErrorUnknownStatusCode", "cfsocks5ErrorBadState",
        "cfsocks5ErrorBadResponseAddr", "cfsocks5ErrorBadCredentials", "cfsocks5UnsupportedNegotiationMethod",
        "cfsocks5NoAcceptableMethod", "cfErrorHTTPProxyConnectionFailure", "cfErrorHTTPSProxyConnectionFailure",
        "cfStreamErrorHTTPSProxyFailureUnexpectedResponseToCONNECTMethod",
    ]
}
