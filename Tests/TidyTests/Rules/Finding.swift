/// One place that breaks a rule.
struct Finding: Hashable, Sendable, CustomStringConvertible {
    enum Weight: Sendable { case warning, failure }

    var path: String
    var line: Int
    var message: String
    var weight = Weight.failure

    var description: String { "\(path):\(line): \(message)" }
}
