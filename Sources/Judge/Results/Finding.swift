/// One thing that is wrong with a case: what, where in the scenario file, and the evidence.
package struct Finding: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable {
        case events, body, timing, order, wire, connections, close, disk, session
        /// The client lane could not go on.
        case lane
        /// The client left steps of the server's script unconsumed.
        case script
        /// The client did what the server's script has no step for.
        case violation
        /// A rule that holds in every scenario without being written (SCENARIO-FORMAT 'Expectations').
        case invariant
        /// A run took more of its process than it may: measured, where all else in the simulator is computed.
        case limit
        /// The process that played the case died of it.
        case crashed
        /// It is not what `differs:` says.
        case record
        case wedged, setup

        /// Whether it is about what stands under `expect:`.
        package var isOfExpectation: Bool {
            switch self {
            case .events, .body, .timing, .order, .wire, .connections, .close, .disk, .session: true
            case .lane, .script, .violation, .invariant, .limit, .crashed, .record, .wedged, .setup: false
            }
        }
    }

    package var kind: Kind
    package var task: String?
    /// `file:line:column`.
    package var place: String?
    package var summary: String
    /// The summary without what is another one every time (moments) and what the scenario file says itself: what a
    /// record of a known difference is compared with.
    package var seen: String
    package var details: [String]

    package init(
        _ kind: Kind, task: String? = nil, place: String? = nil, _ summary: String, seen: String? = nil,
        details: [String] = []
    ) {
        self.kind = kind
        self.task = task
        self.place = place
        self.summary = summary
        self.seen = seen ?? summary
        self.details = details
    }
}
