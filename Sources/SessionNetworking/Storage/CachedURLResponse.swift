#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics

/// An answer with its body. Immutable; may be used from any thread.
open class CachedURLResponse: NSObject, NSCopying, @unchecked Sendable {
    // Safety of the unchecked conformance: nothing of it ever changes; `userInfo` is only read.
    private final let contents: (response: URLResponse, data: Data, info: [AnyHashable: Any]?, policy: Policy)
    private typealias Policy = URLCache.StoragePolicy
    /// What a cache goes by; nil for one that was not made by a session.
    final let record: StoredResponse?

    /// An answer that may be stored anywhere.
    public convenience init(response: URLResponse, data: Data) {
        self.init(response: response, data: data, userInfo: nil, storagePolicy: .allowed)
    }

    /// An answer, and values that the caller wants to keep beside it.
    public init(
        response: URLResponse, data: Data, userInfo: [AnyHashable: Any]? = nil,
        storagePolicy: URLCache.StoragePolicy
    ) {
        contents = (response, data, userInfo, storagePolicy)
        record = nil
        super.init()
    }

    init(
        _ record: StoredResponse, response: URLResponse, data: Data, userInfo: [AnyHashable: Any]? = nil,
        storagePolicy: URLCache.StoragePolicy = .allowed
    ) {
        contents = (response, data, userInfo, storagePolicy)
        self.record = record
        super.init()
    }

    /// The head.
    open var response: URLResponse { contents.response }
    /// The body.
    open var data: Data { contents.data }
    /// What its maker keeps beside it.
    open var userInfo: [AnyHashable: Any]? { contents.info }
    /// Where it may be stored.
    open var storagePolicy: URLCache.StoragePolicy { contents.policy }

    /// This object itself: it cannot change.
    open override func copy() -> Any { copy(with: nil) }
    /// This object itself: it cannot change. `zone` is ignored.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the other object holds the same answer under the same policy; `userInfo` does not count.
    open override func isEqual(_ value: Any?) -> Bool {
        guard let other = value as? CachedURLResponse else { return false }
        return self === other
            || response.isEqual(other.response) && data == other.data && storagePolicy == other.storagePolicy
    }

    /// Equal for equal answers.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(response)
        hasher.combine(data)
        return hasher.finalize()
    }
}

#endif
