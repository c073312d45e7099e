#if !canImport(Darwin)
import Foundation

/// Numbers for the delegates of single tasks: what one of them accepts is not shared with another
/// (BEHAVIOUR 2.B3-scope). A number is never given twice, though an object's address may be.
struct TrustScopes {
    private struct Entry {
        weak var delegate: (any URLSessionDelegate)?
        let number: Int
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var last = 0
    /// Delegates that are gone are swept when they may be the most.
    private var sweepAt = 64

    mutating func number(of delegate: any URLSessionDelegate) -> Int {
        let key = ObjectIdentifier(delegate)
        if let known = entries[key], known.delegate === delegate { return known.number }
        if entries.count >= sweepAt {
            entries = entries.filter { $0.value.delegate != nil }
            sweepAt = max(64, 2 * entries.count)
        }
        last += 1
        entries[key] = Entry(delegate: delegate, number: last)
        return last
    }
}
#endif
