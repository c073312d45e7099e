/// A task within one session; the public `taskIdentifier`.
package struct TaskID: Hashable, Comparable, Sendable {
    package let value: Int
    package init(_ value: Int) { self.value = value }
    package static func < (left: TaskID, right: TaskID) -> Bool { left.value < right.value }
}

/// A dial of one session, which becomes a connection or fails; never reused.
package struct DialID: Hashable, Comparable, Sendable {
    package let value: Int
    package init(_ value: Int) { self.value = value }
    package static func < (left: DialID, right: DialID) -> Bool { left.value < right.value }
}

/// A connection of one session, from the attempt to open it until it is closed; never reused.
package struct ConnectionID: Hashable, Comparable, Sendable {
    package let value: Int
    package init(_ value: Int) { self.value = value }
    package static func < (left: ConnectionID, right: ConnectionID) -> Bool { left.value < right.value }
}

/// A load of one session: one request that a loader was asked to answer. Never reused.
package struct LoadID: Hashable, Sendable {
    package let value: Int
    package init(_ value: Int) { self.value = value }
}

/// A question to the user; its answer carries the same number. Never reused within a session.
package struct QuestionID: Hashable, Sendable {
    package let value: Int
    package init(_ value: Int) { self.value = value }
}
