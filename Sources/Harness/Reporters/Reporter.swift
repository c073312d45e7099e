import Judge

/// Takes results as they come, one at a time.
package protocol Reporter: AnyObject {
    func begin(planned: Int)
    func take(_ result: CaseResult)
    func end(_ totals: Totals, seconds: Double, wasInterrupted: Bool) throws
}
