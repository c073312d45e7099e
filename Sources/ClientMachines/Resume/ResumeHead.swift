import HTTPBasics

/// A response head, read for what matters when a download is to be continued.
struct ResumeHead {
    let head: ResponseHead

    init(_ head: ResponseHead) { self.head = head }

    /// Whether the body bytes are those of the file itself; offsets into a coded form mean nothing here.
    var isPlain: Bool { elements(of: "Content-Encoding").allSatisfy { $0.equalsIgnoringCase("identity") } }

    /// Only the outright refusal counts; many servers that know ranges never say so (BEHAVIOUR 1.F1).
    var refusesRanges: Bool { elements(of: "Accept-Ranges").contains { $0.equalsIgnoringCase("none") } }

    var contentRange: ContentRange? { head.fields.first("Content-Range").flatMap { ContentRange(parsing: $0) } }

    /// Size of the plain body, nil when unknown. Repeated equal lengths are one, anything odd counts as
    /// unknown (BEHAVIOUR 2.I15 to 2.I18, 2.I23).
    var bodyLength: DeclaredLength? {
        guard isPlain, !head.fields.contains("Transfer-Encoding") else { return nil }
        let lengths = elements(of: "Content-Length")
        guard let first = lengths.first, lengths.allSatisfy({ $0 == first }) else { return nil }
        return DeclaredLength(parsing: first)
    }

    /// A strong entity tag, else the date of the last change (BEHAVIOUR 1.F1).
    ///
    /// RFC 9110 13.1.5 would not allow the date beside a weak tag. It is used nevertheless: by the rule below it is
    /// strong by itself, and without it half the downloads of compressing servers could not be continued.
    func validator(now: UnixTime) -> String? {
        if let value = head.fields.first("ETag"), let tag = EntityTag(parsing: value), !tag.isWeak {
            return tag.description
        }
        guard let value = head.fields.first("Last-Modified")?.trimmingWhitespace,
            let changed = HTTPDate.parse(value, now: now)
        else { return nil }
        // RFC 9110 8.8.2.2: a change within the second in which the answer was made would not show in the date.
        if let date = head.fields.first("Date").flatMap({ HTTPDate.parse($0, now: now) }), date <= changed {
            return nil
        }
        return String(value)
    }

    private func elements(of name: String) -> [Substring] {
        head.fields.members(name).map { $0.trimmingWhitespace }.filter { !$0.isEmpty }
    }
}
