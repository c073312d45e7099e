/// The challenges of WWW-Authenticate or Proxy-Authenticate fields, RFC 9110 11.6.1.
package enum AuthenticateHeader {
    /// One challenge, of a known scheme or an unknown one.
    package struct Entry: Hashable, Sendable {
        /// As written; schemes are compared without case.
        package var scheme: String
        /// The opaque form that Negotiate and NTLM use in place of parameters.
        package var token68: String?
        package var parameters: [Parameter]

        package init(_ scheme: String, token68: String? = nil, parameters: [Parameter] = []) {
            self.scheme = scheme
            self.token68 = token68
            self.parameters = parameters
        }

        /// The value of the first parameter of that name.
        package subscript(name: String) -> String? { parameters.first { $0.name.equalsIgnoringCase(name) }?.value }
    }

    /// Challenges of one message, and parameters of one challenge; what goes beyond is dropped.
    package static let limit = 32

    /// All challenges in the order received: several fields, and several challenges within one field. A list of
    /// challenges and a list of parameters share the comma, so each element is judged by its look; malformed elements
    /// are skipped.
    package static func parse(_ values: [String]) -> [Entry] {
        var challenges: [Entry] = []
        for value in values {
            var scanner = FieldScanner(value)
            while !scanner.isAtEnd, challenges.count <= limit {
                parseElement(&scanner, into: &challenges)
                scanner.skip(to: ASCII.comma)
                _ = scanner.take(",")
            }
        }
        // The one beyond the limit had to be parsed, lest its parameters look like those of the last one kept.
        return Array(challenges.prefix(limit))
    }

    /// The parameters of Authentication-Info fields (RFC 7615 3).
    package static func info(_ values: [String]) -> [Parameter] {
        guard !values.isEmpty else { return [] }
        // Their grammar is that of a challenge's parameters.
        return parse(["Info \(values.joined(separator: ", "))"]).first?.parameters ?? []
    }

    private static func parseElement(_ scanner: inout FieldScanner, into challenges: inout [Entry]) {
        scanner.skipBlanks()
        if let parameter = parameter(&scanner) {
            guard let last = challenges.indices.last, challenges[last].parameters.count < limit else { return }
            challenges[last].parameters.append(parameter)
            return
        }
        guard let scheme = scanner.token() else { return }
        // "name=" alone is neither a parameter nor a scheme.
        guard [nil, ASCII.comma, ASCII.space, ASCII.tab].contains(scanner.next) else { return }
        scanner.skipBlanks()
        var challenge = Entry(scheme)
        if let parameter = parameter(&scanner) {
            challenge.parameters.append(parameter)
        } else {
            challenge.token68 = token68(&scanner)
        }
        challenges.append(challenge)
    }

    /// `name = value`; leaves the position when there is none.
    private static func parameter(_ scanner: inout FieldScanner) -> Parameter? {
        let start = scanner.position
        if let name = scanner.token() {
            scanner.skipBlanks()
            if scanner.take("=") {
                scanner.skipBlanks()
                // A second "=" is the padding of a token68.
                if scanner.next != ASCII.equals, let value = scanner.parameterValue(endingAt: [ASCII.comma]) {
                    return Parameter(name, value)
                }
            }
        }
        scanner.position = start
        return nil
    }

    /// RFC 9110 11.2, up to the next comma or the end; leaves the position when there is none.
    private static func token68(_ scanner: inout FieldScanner) -> String? {
        let start = scanner.position
        let body = scanner.word { byte in
            ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-._~+/".utf8.contains(byte)
        }
        if let body {
            let padding = scanner.word { $0 == ASCII.equals } ?? ""
            scanner.skipBlanks()
            if scanner.next == nil || scanner.next == ASCII.comma { return body + padding }
        }
        scanner.position = start
        return nil
    }
}
