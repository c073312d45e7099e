#if !canImport(Darwin)
import ClientMachines
import Foundation

/// An answer that a task's cache has for its request.
enum OfferedResponse: Sendable {
    case whole(CachedURLResponse, StoredResponse)
    /// Its body is read when it is wanted.
    case onDisk(KeptFile, version: UInt64)

    var record: StoredResponse {
        switch self {
        case .whole(_, let record): record
        case .onDisk(let found, _): found.head.record
        }
    }
}
#endif
