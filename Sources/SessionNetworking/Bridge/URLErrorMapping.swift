#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics

/// Failures of the machines as the errors that a caller sees.
///
/// Always through `URLError.Code`, whose numbers are Apple's; Linux's `NSURLError…` constants for TLS are shifted by
/// one (BEHAVIOUR 1.A6).
package enum URLErrorMapping {
    /// The error with which a task completes.
    ///
    /// - Parameter request: Names the failing URL when the failure itself does not.
    package static func error(for failure: Failure, request: URLRequest? = nil) -> URLError {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: sentence(for: failure.kind)]
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
        if !failure.detail.isEmpty { userInfo[detailKey] = failure.detail }
        return URLError(code(for: failure.kind), userInfo: userInfo)
    }

    /// Without user name and password, because errors are printed and logged.
    private static func failingURL(_ failed: URLReference?, _ requested: URL?) -> URL? {
        if let known = failed ?? requested.flatMap({ URLReference($0.absoluteString) }) {
            return URL(string: known.withoutUserInformation.string)
        }
        return requested?.user == nil ? requested : nil
    }

    /// The value of Foundation's `NSURLErrorFailingURLStringErrorKey`, which is deprecated but still read.
    private static let failingURLStringKey = "NSErrorFailingURLStringKey"

    /// What happened, in which phase: for people who look for the cause.
    private static let detailKey = NSDebugDescriptionErrorKey

    static func code(for kind: Failure.Kind) -> URLError.Code {
        switch kind {
        case .unknown, .supplied: return .unknown
        case .cancelled: return .cancelled
        case .badURL: return .badURL
        case .timedOut: return .timedOut
        case .unsupportedURL: return .unsupportedURL
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
        }
    }

    private static func sentence(for kind: Failure.Kind) -> String {
        switch kind {
        case .unknown, .supplied: return "Something unexpected went wrong."
        case .cancelled: return "The task was cancelled."
        case .badURL: return "The URL is not valid."
        case .timedOut: return "The request timed out."
        case .unsupportedURL: return "URLs of this kind cannot be loaded."
        case .cannotFindHost: return "No server of that name was found."
        case .cannotConnectToHost: return "The server did not accept a connection."
        case .networkConnectionLost: return "The connection to the server was lost."
        case .notConnectedToInternet: return "There is no connection to the network."
        case .httpTooManyRedirects: return "The server redirected too many times."
        case .redirectToNonExistentLocation: return "The server redirected to a place that does not exist."
        case .cannotParseResponse: return "What was sent or received is not valid HTTP."
        case .cannotDecodeRawData, .cannotDecodeContentData: return "The received body could not be decoded."
        case .dataLengthExceedsMaximum: return "The body is larger than what is allowed here."
        case .requestBodyStreamExhausted: return "The body of the request cannot be read to its end."
        case .fileDoesNotExist: return "The file does not exist."
        case .fileIsDirectory: return "The file is a directory."
        case .noPermissionsToReadFile: return "The file may not be read."
        case .downloadDecodingFailedMidStream, .downloadDecodingFailedToComplete:
            return "The download could not be decoded."
        case .cannotCreateFile: return "The file could not be created."
        case .cannotOpenFile: return "The file could not be opened."
        case .cannotCloseFile: return "The file could not be closed."
        case .cannotWriteToFile: return "The file could not be written."
        case .cannotMoveFile: return "The file could not be moved."
        }
    }
}
#endif
