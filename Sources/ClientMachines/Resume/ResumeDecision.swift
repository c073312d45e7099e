import HTTPBasics

/// When a download can be continued, how to ask for the rest, and what the answer means (BEHAVIOUR 1.F1, 1.F4).
package enum ResumeDecision {
    /// What the answer to a request for the rest means.
    package enum Meaning: Hashable, Sendable {
        /// The body continues the file; `total` is the size of the whole, nil when unknown.
        case append(total: DeclaredLength?)
        /// The body is the whole, and goes into a new file.
        case restart
        /// The file holds everything already; the body of the answer is not part of it.
        case complete
        /// The answer cannot be joined to the file: ask for the whole, without Range.
        case restartWithoutRange
        /// An answer about something else, such as a 404: deliver it, and keep the partial file.
        case deliverError
        case fail(Failure.Kind)
    }

    /// The request for the rest. Asks for the plain form unless the caller chose another: a range of a compressed
    /// form would not fit.
    package static func request(for token: ResumeToken) -> ClientRequest {
        var request = ClientRequest(url: token.url, fields: token.fields)
        request.fields.fill(from: plain)
        request.fields.set("Range", ByteRange(from: token.offset).description)
        request.fields.set("If-Range", token.validator)
        return request
    }

    private static let plain = Fields([Fields.Field("Accept-Encoding", "identity")])

    /// The request after `restartWithoutRange`: the one that got no part that fits, wherever redirects had led it, and
    /// without what was added for a part.
    package static func whole(_ request: ClientRequest, of token: ResumeToken) -> ClientRequest {
        var request = request
        for name in rangeFields { request.fields.remove(name) }
        if !token.fields.contains("Accept-Encoding") { request.fields.remove("Accept-Encoding") }
        return request
    }

    package static func judge(answer head: ResponseHead, token: ResumeToken) -> Meaning {
        switch head.status {
        case 206: return judge(part: head, token)
        case 200..<300: return .restart
        case 416: return judge(refusal: head, token)
        default: return .deliverError
        }
    }

    /// Fields of an earlier range request; a token never keeps them.
    static let rangeFields = ["Range", "If-Range"]

    private static func judge(part head: ResponseHead, _ token: ResumeToken) -> Meaning {
        guard let part = ResumeHead(head).contentRange, case .part(let first, _, let total) = part,
            let offset = DeclaredLength(token.offset)
        else { return .restartWithoutRange }
        // Bytes we did not ask for and a gap that nothing can fill: not a server to ask again.
        guard first <= offset else { return .fail(.cannotParseResponse) }
        let knownTotal = total ?? token.total
        guard first == offset, ResumeHead(head).isPlain, isSameRepresentation(head, token),
            // A part has the entity tag that the whole would have (RFC 9110 15.3.7).
            EntityTag(parsing: token.validator) == nil || head.fields.first("ETag") != nil,
            token.total == nil || token.total == knownTotal,
            // A server may send less than we asked for; then the file would end too early.
            knownTotal == nil || knownTotal == part.end,
            // Some send the whole under the head of a part.
            [nil, part.length].contains(ResumeHead(head).bodyLength)
        else { return .restartWithoutRange }
        return .append(total: knownTotal)
    }

    /// A 416 is good news when there is nothing left to fetch.
    private static func judge(refusal head: ResponseHead, _ token: ResumeToken) -> Meaning {
        let offset = DeclaredLength(token.offset)
        guard case .unsatisfied(let total)? = ResumeHead(head).contentRange, total == offset,
            token.total == nil || token.total == offset, isSameRepresentation(head, token)
        else { return .restartWithoutRange }
        return .complete
    }

    /// Whether the validators of the answer, if it repeats them, agree with the token's. If-Range made the server
    /// compare already; this is for servers that ignore it.
    private static func isSameRepresentation(_ head: ResponseHead, _ token: ResumeToken) -> Bool {
        if let expected = EntityTag(parsing: token.validator) {
            guard let value = head.fields.first("ETag") else { return true }
            return EntityTag(parsing: value)?.stronglyMatches(expected) ?? false
        }
        guard let date = head.fields.first("Last-Modified") else { return true }
        return date.trimmingWhitespace == token.validator
    }
}
