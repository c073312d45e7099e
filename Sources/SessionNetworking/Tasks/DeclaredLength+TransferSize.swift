#if !canImport(Darwin)
import HTTPBasics

extension DeclaredLength? {
    /// As Foundation has it: `NSURLSessionTransferSizeUnknown` while it is unknown.
    var transferSize: Int64 { self?.int64 ?? NSURLSessionTransferSizeUnknown }
}
#endif
