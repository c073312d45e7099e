import ClientMachines

/// What a checker knows of each task.
///
/// Sessions and tasks are counted from small numbers: an array finds at once what a dictionary would have to hash for.
struct TaskTable<State> {
    private var sessions: [[State?]] = []

    /// Nil for a task that was never put in.
    subscript(key: TaskKey) -> State? {
        get { holds(key) ? sessions[key.session][key.task.value] : nil }
        set {
            if !holds(key) { makeRoom(for: key) }
            sessions[key.session][key.task.value] = newValue
        }
    }

    private func holds(_ key: TaskKey) -> Bool {
        sessions.indices.contains(key.session) && sessions[key.session].indices.contains(key.task.value)
    }

    private mutating func makeRoom(for key: TaskKey) {
        while sessions.count <= key.session { sessions.append([]) }
        while sessions[key.session].count <= key.task.value { sessions[key.session].append(nil) }
    }

    /// In ascending order.
    var keys: [TaskKey] {
        sessions.indices.flatMap { session in
            sessions[session].indices.filter { sessions[session][$0] != nil }
                .map { TaskKey(session: session, task: TaskID($0)) }
        }
    }
}
