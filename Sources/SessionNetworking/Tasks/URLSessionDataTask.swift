#if !canImport(Darwin)
import Foundation

/// A task that hands the response body to the caller in memory.
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
// Safety: adds no state.
#endif
