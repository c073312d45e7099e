#if !canImport(Darwin)
import Foundation

/// Key in an error's `userInfo`: the `Data` with which a failed or cancelled download can be continued.
public let NSURLSessionDownloadTaskResumeData: String = "NSURLSessionDownloadTaskResumeData"

/// The same key under the name that FoundationNetworking uses.
public let URLSessionDownloadTaskResumeData: String = NSURLSessionDownloadTaskResumeData

/// Key in an error's `userInfo`: the `Data` with which a failed or cancelled upload can be continued.
public let NSURLSessionUploadTaskResumeData: String = "NSURLSessionUploadTaskResumeData"

/// Stands for a number of bytes that is not known: -1.
public let NSURLSessionTransferSizeUnknown: Int64 = -1

extension URLError {
    /// What `downloadTask(withResumeData:)` needs to continue the download that ended with this error; nil when it
    /// cannot be continued.
    public var downloadTaskResumeData: Data? { userInfo[NSURLSessionDownloadTaskResumeData] as? Data }

    /// What `uploadTask(withResumeData:)` needs to continue the upload that ended with this error; nil when it cannot
    /// be continued.
    public var uploadTaskResumeData: Data? { userInfo[NSURLSessionUploadTaskResumeData] as? Data }
}
#endif
