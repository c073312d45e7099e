import Foundation

/// Names of `URLError` codes as scenarios write them.
enum ErrorName {
    static func name(of error: any Error) -> String {
        guard let error = error as? URLError else { return "\(type(of: error))" }
        return names.first { $0.0 == error.code }?.1 ?? "code \(error.code.rawValue)"
    }

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
