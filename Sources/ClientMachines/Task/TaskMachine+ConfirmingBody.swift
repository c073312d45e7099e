import MachineContract

/// Stage `confirmingBody`: the answer to a body of files has come, and counts only if they still are what they were.
///
/// The network sends files from the kernel's own pages, into which others may write until the bytes have arrived: not
/// before the answer is it known that they have (BEHAVIOUR 1.I5-shorter, 3.A1-changed).
extension TaskMachine {
    /// Asks for one file after another, the last one first: that one is open still.
    func confirm(_ files: [BodyFile], _ turn: inout Turn) {
        var left = files
        if let file = left.popLast() {
            stage = .confirmingBody(left)
            timeouts.stopWaiting()
            open(file, &turn)
        } else {
            stage = .awaitingHead
            timeouts.startWaiting(at: turn.now)
            judgeHead(&turn)
        }
    }
}
