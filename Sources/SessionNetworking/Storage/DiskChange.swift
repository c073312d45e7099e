#if !canImport(Darwin)
import CacheFiles
import ClientMachines
import Foundation
import HTTPBasics
import NIOCore

/// One thing to be done to the answers on disk.
enum DiskChange: Sendable {
    /// Keep an answer, in place of the one of the same variant.
    case keep(KeptHead, Data, for: CacheKey)
    /// A body comes piece by piece.
    case append(StreamedBody, ByteBuffer)
    /// It is whole, and had so many bytes: the same.
    case finish(StreamedBody, bytes: Int)
    case abandon(StreamedBody)
    /// What is known of an answer was this.
    case freshen(StoredResponse, KeptHead, for: CacheKey)
    /// It was made use of in memory: others are evicted first.
    case use(CacheKey)
    case forget(CacheKey)
    case forgetVariant(Variant, of: CacheKey)
    case outdate(OutdatingAnswer)
    case forgetAll
    case forgetSince(UnixTime)

    /// Whose answers are other ones afterwards; nil where they are not, or where all may be.
    var key: CacheKey? {
        switch self {
        case .keep(_, _, let key), .freshen(_, _, let key), .forget(let key), .forgetVariant(_, let key): key
        case .finish(let body, _): body.key
        case .outdate(let newer): newer.key
        case .append, .abandon, .use, .forgetAll, .forgetSince: nil
        }
    }

    var concernsAll: Bool {
        switch self {
        case .forgetAll, .forgetSince: true
        default: false
        }
    }

    /// What it holds in memory until it is made.
    var bytes: Int {
        switch self {
        case .keep(_, let data, _): data.count
        case .append(_, let piece): piece.readableBytes
        default: 0
        }
    }
}

/// An answer whose body goes to disk while it comes.
final class StreamedBody: @unchecked Sendable {
    // Safety: the other two are used by jobs of the cache's writer only, which runs one after another.
    let head: KeptHead
    let key: CacheKey
    var writer: CacheWriter?
    /// How many bytes it was given.
    var bytes = 0

    init(_ head: KeptHead, for key: CacheKey) { (self.head, self.key) = (head, key) }
}
#endif
