/// A Content-Type value, RFC 9110 8.3.1.
package struct MediaType: Hashable, Sendable, CustomStringConvertible {
    /// In lower case.
    package var type: String
    /// In lower case.
    package var subtype: String
    package var parameters: [Parameter]

    /// More than this no honest sender has; the rest is dropped.
    static let parameterLimit = 32

    package init(_ type: String, _ subtype: String, parameters: [Parameter] = []) {
        self.type = type.lowercased()
        self.subtype = subtype.lowercased()
        self.parameters = parameters
    }

    /// Nil without `type/subtype` at the start; malformed parameters are skipped.
    package init?(parsing value: some StringProtocol) {
        var scanner = FieldScanner(value)
        scanner.skipBlanks()
        guard let type = scanner.token(), scanner.take("/"), let subtype = scanner.token() else { return nil }
        self.init(type, subtype)
        while parameters.count < Self.parameterLimit {
            scanner.skip(to: ASCII.semicolon)
            guard scanner.take(";") else { break }
            scanner.skipBlanks()
            guard let name = scanner.token() else { continue }
            scanner.skipBlanks()
            guard scanner.take("=") else { continue }
            scanner.skipBlanks()
            guard let value = scanner.parameterValue(endingAt: [ASCII.semicolon]) else { continue }
            parameters.append(Parameter(name, value))
        }
    }

    /// Without parameters: what `URLResponse.mimeType` shows (BEHAVIOUR 2.F30).
    package var essence: String { "\(type)/\(subtype)" }

    package var charset: String? { self["charset"] }

    /// The value of the first parameter of that name.
    package subscript(name: String) -> String? { parameters.first { $0.name.equalsIgnoringCase(name) }?.value }

    /// The field value.
    package var description: String { parameters.reduce(essence) { $0 + "; " + $1.text } }
}
