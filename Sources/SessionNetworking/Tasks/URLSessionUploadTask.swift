#if !canImport(Darwin)
import Foundation

/// A data task whose request body is given apart from its request.
///
/// Named by `getTasksWithCompletionHandler`. No method makes one yet: a request's own `httpBody` or `httpBodyStream`
/// goes with a data task.
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}
// Safety: adds no state.
#endif
