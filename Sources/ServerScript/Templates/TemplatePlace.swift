/// Follows a text with words for what a request brings, and says what place a word has there.
struct TemplatePlace {
    private let isEventStream: Bool
    private var isJSON: Bool
    private var isQuoted = false
    private var isEscaped = false
    /// Of an event stream: what the line begins with, up to its colon and the blank behind it.
    private var field = ""
    private var hasColon = false

    init(_ text: String, isEventStream: Bool) {
        self.isEventStream = isEventStream
        isJSON = TemplatePlace.isJSON(text.unicodeScalars[...])
    }

    private static func isJSON(_ text: Substring.UnicodeScalarView) -> Bool {
        text.first { $0.value > 0x20 }.map { $0 == "{" || $0 == "[" } ?? false
    }

    var place: TextTemplate.Place {
        if isJSON, isQuoted { return .jsonText }
        guard isEventStream, hasColon else { return .plain }
        return field == "data: " || field == ": " ? .eventLines(field) : .eventField
    }

    /// - Parameter rest: What follows.
    mutating func pass(_ scalar: Unicode.Scalar, before rest: Substring.UnicodeScalarView) {
        if isEventStream, scalar == "\n" || scalar == "\r" {
            self = TemplatePlace("", isEventStream: true)
        } else if isEventStream, !hasColon {
            field.unicodeScalars.append(scalar)
            guard scalar == ":" else { return }
            hasColon = true
            field += " "
            isJSON = TemplatePlace.isJSON(rest.prefix { $0 != "\n" && $0 != "\r" })
        } else {
            if scalar == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = scalar == "\\" && !isEscaped
        }
    }
}

extension TextTemplate.Place {
    /// What is put in, as it is written there.
    func written(_ value: String) -> String {
        switch self {
        case .plain: return value
        case .jsonText: return JSONValue.escaped(value)
        case .eventLines(let beginning): return TextTemplate.Place.lines(value).joined(separator: "\n" + beginning)
        case .eventField: return TextTemplate.Place.lines(value).joined()
        }
    }

    /// A line ends with CRLF, LF or CR.
    package static func lines(_ text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
    }
}
