#if !canImport(Darwin)
import Foundation

/// A data task whose request body is given apart from its request: data, a file, or a stream of the delegate's.
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}
// Safety: adds no state.
#endif
