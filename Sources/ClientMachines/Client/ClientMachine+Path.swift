import MachineContract

/// What the world tells of the way to other machines.
extension ClientMachine {
    /// What is under way goes on, as far as it gets (BEHAVIOUR 1.B16-open). No request follows on the connections of a
    /// way that is gone, and what was being connected begins anew (BEHAVIOUR 1.B16-changed).
    func pathTold(_ news: NetworkPath, _ turn: inout Turn) {
        if path.told(news) { leaveConnections(&turn) }
        for id in tasks.keys.sorted() where tasks[id]?.machine.stage.isBeforeConnection == true {
            step(id, .pathTold, &turn)
        }
    }
}

extension TaskStage {
    fileprivate var isBeforeConnection: Bool { self == .waitingForPath || self == .waitingForConnection }
}
