import ServerScript

/// Which effects make sense at which landmark (decision 4): one table, asked by the decoder.
enum FaultLegality {
    /// Nil when the cell is legal, else why it is not.
    static func objection(to effect: Effect, at landmark: Landmark) -> String? {
        if case .idle = landmark, case .delay = effect { return "nobody sees a pause of an idle connection" }
        return nil
    }

    /// An `accept` step has no exchange that a fault could sit in.
    static func isLegalAtAccept(_ landmark: Landmark) -> Bool {
        switch landmark {
        case .accept, .idle: return true
        default: return false
        }
    }

    /// Faults that strike before any answer byte belong to the exchange, the others to its reply.
    static func strikesBeforeAnswer(_ landmark: Landmark) -> Bool {
        switch landmark {
        case .accept, .requestHead, .requestBody, .request: return true
        case .interim, .statusLine, .head, .headEnd, .body, .end, .idle: return false
        }
    }

    /// After a pause things go on; every other effect takes the place of an answer not yet begun.
    static func leavesAnswer(_ effect: Effect) -> Bool {
        if case .delay = effect { return true }
        return false
    }
}
