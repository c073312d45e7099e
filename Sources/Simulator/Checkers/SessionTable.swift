import ClientMachines

/// The number of something within a session, and the number of the session.
package protocol SessionKey: Hashable, Comparable, Sendable {
    var session: Int { get }
    var number: Int { get }
    init(session: Int, number: Int)
}

extension SessionKey {
    package static func < (left: Self, right: Self) -> Bool {
        (left.session, left.number) < (right.session, right.number)
    }
}

/// What is known of each task, question or connection.
///
/// Sessions and all that is theirs are counted from small numbers: an array finds at once what a dictionary would have
/// to hash for.
struct SessionTable<Key: SessionKey, State> {
    private var sessions: [[State?]] = []

    /// Nil for what was never put in. A copy in and out: a coroutine would take its frame from the heap each time.
    subscript(key: Key) -> State? {
        get { holds(key) ? sessions[key.session][key.number] : nil }
        set {
            if holds(key) {
                sessions[key.session][key.number] = newValue
            } else if let newValue {
                put(newValue, at: key)
            }
        }
    }

    private func holds(_ key: Key) -> Bool {
        sessions.indices.contains(key.session) && sessions[key.session].indices.contains(key.number)
    }

    private mutating func put(_ state: State, at key: Key) {
        while sessions.count <= key.session { sessions.append([]) }
        while sessions[key.session].count <= key.number { sessions[key.session].append(nil) }
        sessions[key.session][key.number] = state
    }

    mutating func remove(_ key: Key) -> State? {
        guard holds(key) else { return nil }
        defer { sessions[key.session][key.number] = nil }
        return sessions[key.session][key.number]
    }

    /// In ascending order.
    var keys: [Key] {
        sessions.indices.flatMap { session in
            sessions[session].indices.filter { sessions[session][$0] != nil }
                .map { Key(session: session, number: $0) }
        }
    }
}

/// A task within a whole simulation.
package struct TaskKey: SessionKey {
    package var session: Int
    package var task: TaskID

    package init(session: Int, task: TaskID) { (self.session, self.task) = (session, task) }
    package init(session: Int, number: Int) { self.init(session: session, task: TaskID(number)) }
    package var number: Int { task.value }
}

/// A question within a whole simulation.
struct QuestionKey: SessionKey {
    var session: Int
    var question: QuestionID

    init(session: Int, question: QuestionID) { (self.session, self.question) = (session, question) }
    init(session: Int, number: Int) { self.init(session: session, question: QuestionID(number)) }
    var number: Int { question.value }
}

/// A dial within a whole simulation.
struct DialKey: SessionKey {
    var session: Int
    var id: DialID

    init(session: Int, id: DialID) { (self.session, self.id) = (session, id) }
    init(session: Int, number: Int) { self.init(session: session, id: DialID(number)) }
    var number: Int { id.value }
}

/// A client's connection within a whole simulation.
package struct ConnectionKey: SessionKey {
    package var session: Int
    package var id: ConnectionID

    package init(session: Int, id: ConnectionID) { (self.session, self.id) = (session, id) }
    package init(session: Int, number: Int) { self.init(session: session, id: ConnectionID(number)) }
    package var number: Int { id.value }
}
