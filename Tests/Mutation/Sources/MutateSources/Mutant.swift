/// One small mistake, planted at one place.
struct Mutant: Sendable {
    enum Operator: String, CaseIterable, Sendable {
        /// `<` and `<=`, `>` and `>=`.
        case boundary
        /// `==` and `!=`.
        case equality
        /// `&&` and `||`.
        case logic
        /// A condition becomes its opposite.
        case condition
        /// `+` and `-`.
        case arithmetic
        /// 0 and 1, any other n becomes n + 1.
        case number
        /// `true` and `false`.
        case boolean
        /// A call or an assignment is left out.
        case deletion
        /// An optional result is always nil.
        case nothing
    }

    /// How the mistake is written beside the original.
    enum Form: Sendable {
        /// The expression at these offsets, or that text.
        case expression(Range<Int>, or: String)
        /// The statement at these offsets, or nothing.
        case statement(Range<Int>)
        /// `return call()` of a function without a result: the call at these offsets, or nothing. Begins at `return`.
        case returnedCall(Range<Int>, start: Int)
    }

    /// Its number in the run-time switch, from 1.
    var number = 0
    /// Below `Sources`.
    let file: String
    let line: Int
    let column: Int
    let function: String
    let `operator`: Operator
    let original: String
    let replacement: String
    let form: Form
    /// Tells it from others of the same words in the same function.
    var occurrence = 1

    var module: String { String(file.prefix { $0 != "/" }) }

    var place: String { "\(file):\(line):\(column)" }

    /// What it is, in words that survive a change of lines elsewhere in the file.
    var name: String {
        let change = replacement.isEmpty ? original : "\(original) -> \(replacement)"
        return "\(file) \(function) \(`operator`.rawValue): \(change)" + (occurrence > 1 ? " #\(occurrence)" : "")
    }
}
