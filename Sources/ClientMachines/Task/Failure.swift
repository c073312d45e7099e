import HTTPBasics
import MachineContract

/// Why a task failed: a value that `SessionNetworking` turns into a `URLError`.
package struct Failure: Hashable, Sendable {
    /// Named after the `URLError.Code` that each becomes.
    package enum Kind: String, Hashable, Sendable {
        case cancelled, badURL, timedOut, unsupportedURL
        case cannotFindHost, cannotConnectToHost, networkConnectionLost, notConnectedToInternet
        case httpTooManyRedirects, redirectToNonExistentLocation
        case cannotParseResponse, requestBodyStreamExhausted, cannotDecodeRawData, cannotDecodeContentData,
            dataLengthExceedsMaximum
        case downloadDecodingFailedMidStream, downloadDecodingFailedToComplete
        case cannotCreateFile, cannotOpenFile, cannotCloseFile, cannotWriteToFile, cannotMoveFile
        /// A contract of our own was broken; the task fails, the process goes on.
        case unknown
    }

    package var kind: Kind
    package var blame: Blame
    /// The request that failed.
    package var url: URLReference?
    /// One sentence for people: what happened, in which phase.
    package var detail: String
    /// Present when a download can be continued later.
    package var resume: ResumeToken?

    package init(_ kind: Kind, _ blame: Blame, _ detail: String, url: URLReference? = nil, resume: ResumeToken? = nil) {
        self.kind = kind
        self.blame = blame
        self.url = url
        self.detail = detail
        self.resume = resume
    }
}
