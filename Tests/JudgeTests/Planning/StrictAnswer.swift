/// Reads an answer as RFC 9112 has it, and forgives nothing: what the scripts write is meant to be so, or to be listed.
enum StrictAnswer {
    /// What is wrong first; nil for one final answer, with what comes ahead of it, and no byte more.
    static func objection(_ bytes: [UInt8], to method: String) -> String? {
        // One scalar for each byte, so that obs-text is neither decoded nor lost.
        var rest = Substring(String(String.UnicodeScalarView(bytes.map(Unicode.Scalar.init))))
        while true {
            guard
                let head = rest.prefixMatch(
                    of: #/(.*?)\r\n\r\n/#.dotMatchesNewlines().matchingSemantics(.unicodeScalar))
            else { return "a head without an end" }
            rest = rest[head.range.upperBound...]
            let lines = lines(head.output.1)
            guard let first = lines.first,
                let status = first.wholeMatch(
                    of: #/HTTP/1\.[0-9] ([1-5][0-9][0-9]) [\t\x20-\x7E\x{80}-\x{FF}]*/#.matchingSemantics(
                        .unicodeScalar)
                )
            else { return "no status line" }
            var fields: [(name: String, value: String)] = []
            for line in lines.dropFirst() {
                guard let field = line.wholeMatch(of: field) else { return "no field line" }
                fields.append((field.output.1.lowercased(), field.output.2.trimmingBlanks))
            }
            let isEarly = status.output.1.hasPrefix("1") && status.output.1 != "101"
            let code = String(status.output.1)
            let lengths = fields.filter { $0.name == "content-length" }.map(\.value)
            let codings = fields.filter { $0.name == "transfer-encoding" }.map(\.value)
            if let objection = framingObjection(lengths, codings, isBodiless: isEarly || code == "204") {
                return objection
            }
            if isEarly { continue }
            let hasBody = method != "HEAD" && !["101", "204", "304"].contains(code)
            return hasBody ? bodyObjection(rest, lengths, codings) : rest.isEmpty ? nil : "bytes where no body can be"
        }
    }

    /// Blanks behind the value stay in it.
    private static var field: Regex<(Substring, Substring, Substring)> {
        #/([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7E\x{80}-\x{FF}]*)/#.matchingSemantics(.unicodeScalar)
    }

    private static func lines(_ head: Substring) -> [Substring] {
        head.split(separator: #/\r\n/#.matchingSemantics(.unicodeScalar), omittingEmptySubsequences: false)
    }

    private static func framingObjection(_ lengths: [String], _ codings: [String], isBodiless: Bool) -> String? {
        if isBodiless, !lengths.isEmpty || !codings.isEmpty { return "framing where no body can be" }
        if !lengths.isEmpty, !codings.isEmpty { return "two framings" }
        if lengths.count > 1 || codings.count > 1 { return "a framing said twice" }
        if let length = lengths.first, length.wholeMatch(of: #/[0-9]+/#) == nil || Int(length) == nil {
            return "no length"
        }
        if let coding = codings.first, coding.wholeMatch(of: #/(?:(?:x-)?gzip, |deflate, )?chunked/#) == nil {
            return "no coding"
        }
        return nil
    }

    private static func bodyObjection(_ body: Substring, _ lengths: [String], _ codings: [String]) -> String? {
        if let length = lengths.first {
            return body.unicodeScalars.count == Int(length) ? nil : "a body of another length"
        }
        guard !codings.isEmpty else { return nil }
        var rest = body.unicodeScalars[...]
        while let size = Substring(rest).prefixMatch(
            of: #/([0-9A-Fa-f]{1,8})(?:;[\t\x20-\x7E]*)?\r\n/#.matchingSemantics(.unicodeScalar)),
            let count = Int(size.output.1, radix: 16)
        {
            rest = rest[size.range.upperBound...]
            if count == 0 { return trailerObjection(Substring(rest)) }
            rest = rest.dropFirst(count)
            guard rest.starts(with: "\r\n".unicodeScalars) else { return "a chunk without its end" }
            rest = rest.dropFirst(2)
        }
        return "no chunk"
    }

    private static func trailerObjection(_ trailers: Substring) -> String? {
        var rest = trailers
        while let line = rest.prefixMatch(of: #/(.*?)\r\n/#.matchingSemantics(.unicodeScalar)) {
            rest = rest[line.range.upperBound...]
            if line.output.1.isEmpty { return rest.isEmpty ? nil : "bytes behind the end" }
            if line.output.1.wholeMatch(of: field) == nil { return "no trailer" }
        }
        return "trailers without an end"
    }
}

extension Substring {
    fileprivate var trimmingBlanks: String {
        String(self[..<(lastIndex { $0 != " " && $0 != "\t" }.map(index(after:)) ?? startIndex)])
    }
}
