import HTTPBasics
import MachineContract

/// Why a task failed: a value that `SessionNetworking` turns into a `URLError`.
///
/// A class, so that the outputs which may carry one stay small.
package final class Failure: Hashable, Sendable {
    /// Named after the `URLError.Code` that each becomes.
    package enum Kind: String, Hashable, Sendable {
        case cancelled, badURL, timedOut, unsupportedURL
        case resourceUnavailable, cannotFindHost, cannotConnectToHost, networkConnectionLost, notConnectedToInternet
        case httpTooManyRedirects, redirectToNonExistentLocation
        case cannotParseResponse, requestBodyStreamExhausted, cannotDecodeRawData, cannotDecodeContentData,
            dataLengthExceedsMaximum
        case secureConnectionFailed, serverCertificateUntrusted, clientCertificateRejected, clientCertificateRequired
        case fileDoesNotExist, fileIsDirectory, noPermissionsToReadFile
        case downloadDecodingFailedMidStream, downloadDecodingFailedToComplete
        case cannotCreateFile, cannotOpenFile, cannotCloseFile, cannotWriteToFile, cannotMoveFile
        /// Named after the codes of `kCFErrorDomainCFNetwork` that each becomes (BEHAVIOUR 2.E4-codes).
        case httpProxyConnectionFailure, httpsProxyConnectionFailure, unexpectedConnectAnswer
        case socksUnsupportedServerVersion
        case socks4RequestFailed, socks4IdentdFailed, socks4IDConflict, socks4UnknownStatusCode
        case socks5BadState, socks5BadResponseAddress, socks5BadCredentials, socks5UnsupportedNegotiationMethod,
            socks5NoAcceptableMethod
        /// A protocol class failed with an error of its own, which the session keeps.
        case supplied
        /// A contract of our own was broken; the task fails, the process goes on.
        case unknown
    }

    package let kind: Kind
    package let blame: Blame
    /// The request that failed.
    package let url: URLReference?
    /// One sentence for people: what happened, in which phase.
    package let detail: String
    /// Present when a download can be continued later.
    package let resume: ResumeToken?
    /// Present when an upload can be continued later.
    package let upload: UploadToken?
    /// Present when the connection could not be secured.
    package let security: SecureFailure?
    /// Present when no network was there that the request might use.
    package let obstacle: PathObstacle?

    package init(
        _ kind: Kind, _ blame: Blame, _ detail: String, url: URLReference? = nil, resume: ResumeToken? = nil,
        upload: UploadToken? = nil, security: SecureFailure? = nil, obstacle: PathObstacle? = nil
    ) {
        self.obstacle = obstacle
        self.upload = upload
        self.security = security
        self.kind = kind
        self.blame = blame
        self.url = url
        self.detail = detail
        self.resume = resume
    }

    /// The same failure of a download that cannot be continued.
    package var withoutResume: Failure { Failure(kind, blame, detail, url: url) }

    /// The same failure of a download whose file has no more than so many bytes; nil when no task can go on from there.
    package func cut(to bytes: Int64) -> Failure? {
        guard var resume, bytes > 0 else { return nil }
        resume.offset = min(resume.offset, bytes)
        return Failure(kind, blame, detail, url: url, resume: resume)
    }

    package static func == (left: Failure, right: Failure) -> Bool {
        left === right
            || left.kind == right.kind && left.blame == right.blame && left.url == right.url
                && left.detail == right.detail && left.resume == right.resume
                && left.upload == right.upload && left.security == right.security
                && left.obstacle == right.obstacle
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(url)
    }
}

extension Failure: CustomStringConvertible {
    package var description: String {
        "\(kind.rawValue), blame \(blame): \(detail)" + (url.map { " <\($0)>" } ?? "")
            + (resume.map { " (resumable at \($0.offset))" } ?? "")
    }
}
