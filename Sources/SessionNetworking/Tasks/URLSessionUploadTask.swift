#if !canImport(Darwin)
import Foundation

/// A data task whose request body is given apart from its request: data, a file, or a stream of the delegate's.
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {
    // Safety: adds no state.

    /// Cancels the upload and hands over what a later task needs to continue it.
    ///
    /// - Parameter completionHandler: Called once on the delegate queue, before the task's own completion, with the
    ///   resume data; with nil when the upload cannot be continued: the configuration does not ask for it, the server
    ///   has not said that it could, or the task had already completed. The same data is in the error's
    ///   `uploadTaskResumeData`.
    open func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {
        cancelKeepingResumeData(completionHandler)
    }
}
#endif
