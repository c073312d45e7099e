import NIOCore

/// What has happened in one scope of a server, and what is to be told of it.
final class ScopeRecord: @unchecked Sendable {  // Safety: but for `record`, touched on the event loop only.
    /// Empty for the scope of requests that name none.
    let name: String
    let record: ServerRecord
    /// Tells that the round is over.
    var roundEnd: Scheduled<Void>?
    /// How many violations were in the verdict on the present round; nil before it was given.
    private var toldViolations: Int?

    /// A named one remembers less, since there may be many.
    ///
    /// - Parameter isLasting: There as long as the server.
    init(_ name: String, isLasting: Bool = false, _ limits: ServerLimits) {
        self.name = name
        record =
            isLasting
            ? ServerRecord(mostRequests: limits.journalRequests, mostWeight: limits.journalBytes)
            : ServerRecord(
                mostRequests: min(2000, limits.journalRequests), mostWeight: min(1 << 20, limits.journalBytes),
                mostViolations: 64)
    }

    func begin() {
        record.clear()
        toldViolations = nil
    }

    /// The verdict on the present round has been given.
    var isTold: Bool { toldViolations != nil }

    /// It is given now.
    func tell() { toldViolations = record.violationCount }

    /// Something went wrong that the verdict did not know of.
    var isWorse: Bool { toldViolations.map { record.violationCount > $0 } ?? false }

    func cancel() {
        roundEnd?.cancel()
        roundEnd = nil
    }
}
