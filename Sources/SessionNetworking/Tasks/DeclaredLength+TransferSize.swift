#if !canImport(Darwin)
import HTTPBasics

extension DeclaredLength? {
    /// As Foundation has it: `NSURLSessionTransferSizeUnknown` while nobody knows it.
    var transferSize: Int64 { self?.int64 ?? NSURLSessionTransferSizeUnknown }
}
#endif
