import ServerScript

/// Faults of records, which only hosts have that speak TLS. What is wrong with a host's TLS itself is found where it is
/// read.
extension Linter {
    func checkRecordFaults(_ script: Script) {
        for found in script.recordObjections {
            error(found.objection.text, at: found.fault.mark, remedy: found.objection.remedy)
        }
    }
}
