import ScenarioFormat

extension CaseJudge {
    /// Whether the style in which the case was played could tell another expectation from this one.
    package func canTell(_ other: CaseJudge) -> Bool {
        let (mine, theirs) = (expectation, other.expectation)
        if zip(mine.tasks, theirs.tasks).contains(where: { $0 != $1 && canTell($0, from: $1) }) { return true }
        let order = zip(mine.order, theirs.order).contains { rule, another in
            rule != another && rule.events.allSatisfy { isHeard($0.word, of: $0.task) }
        }
        return order || mine.wire != theirs.wire || mine.connections != theirs.connections
            || mine.attempts != theirs.attempts || mine.closes != theirs.closes
            || mine.temporaryFiles != theirs.temporaryFiles || mine.becomesInvalid != theirs.becomesInvalid
    }

    private func canTell(_ task: TaskExpectation, from other: TaskExpectation) -> Bool {
        guard let record = observation.journal.task(task.label) else { return true }
        let projection = projection(of: record)
        let succeeded = observation.journal.events(of: task.label).last?.outcome == .success
        if let events = task.events, let others = other.events, events != others {
            if projection.seenPart(of: events) != projection.seenPart(of: others) { return true }
            let isReturned = succeeded && record.returned != nil
            if isReturned, projection.returnedPart(of: events) != projection.returnedPart(of: others) { return true }
        }
        if task.body != other.body, succeeded || style == .delegate || record.kind == .bytes { return true }
        return zip(task.timing, other.timing).contains { rule, another in
            rule != another
                && [rule.event, rule.since].compactMap(\.word).allSatisfy { projection.visibility($0).isSeen }
        }
    }

    private func isHeard(_ word: EventWord, of label: String) -> Bool {
        observation.journal.task(label).map { projection(of: $0).visibility(word).isSeen } ?? true
    }
}
