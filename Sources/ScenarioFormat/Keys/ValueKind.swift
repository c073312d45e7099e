/// What may stand behind a key; the reference page spells it out.
package indirect enum ValueKind: Hashable, Sendable {
    case text
    /// A name: letters, digits, `-` and `_`.
    case label
    /// A whole number without a unit.
    case count
    /// A number of bytes, with or without a unit.
    case bytes
    /// A number with a unit of size.
    case size
    /// `4`, `at-least 64KiB` or `at-most 1MiB`.
    case sizeRule
    case duration
    /// A size in a second: `10KiB/s`.
    case rate
    /// `25%`
    case percent
    /// `900ms..1s`
    case durationRange
    /// `1..3` or `2`
    case countRange
    case yesNo
    case status
    case words([String])
    /// `POST /path`, or `/path` for GET.
    case requestLine
    /// Text, the name of a body, `none`, or a map.
    case body
    /// A map of field names to a value or a list of values.
    case headers
    /// A map of field names to an exact value, `present`, or what must be in it.
    case fieldRules
    /// A map of names to the values that items of a query or a form must have.
    case itemRules
    /// A landmark in the life of an exchange.
    case landmark
    case outcome
    case map(KeyContext)
    case mapOf(ValueKind)
    case list(ValueKind)
    case either([ValueKind])
    /// Anything: the values of variables.
    case any

    package var description: String {
        switch self {
        case .text: "text"
        case .label: "name"
        case .count: "number"
        case .bytes: "bytes (`400000`, `64KiB`)"
        case .size: "size (`300KB`, `1MiB`)"
        case .sizeRule: "bytes, `at-least` bytes, `at-most` bytes"
        case .duration: "duration (`900ms`, `1s`)"
        case .rate: "rate (`10KiB/s`)"
        case .percent: "percentage (`25%`)"
        case .durationRange: "durations `a..b`"
        case .countRange: "numbers `a..b`, or one number"
        case .yesNo: "`yes` or `no`"
        case .status: "status (100 to 999)"
        case .words(let words): words.map { "`\($0)`" }.joined(separator: ", ")
        case .requestLine: "request line (`POST /path`)"
        case .body: "body"
        case .headers: "map of header fields"
        case .fieldRules: "map of field rules"
        case .itemRules: "map of item rules"
        case .landmark: "landmark"
        case .outcome: "outcome"
        case .map(let context): "map: \(context.phrase)"
        case .mapOf(let kind): "map of names to \(kind.description)"
        case .list(let kind): "list of \(kind.description)"
        case .either(let kinds): kinds.map(\.description).joined(separator: ", or ")
        case .any: "any value"
        }
    }
}
