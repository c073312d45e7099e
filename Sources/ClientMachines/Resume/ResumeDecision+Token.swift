import HTTPBasics

extension ResumeDecision {
    /// Resume data for a download that stops now, nil when it could not be continued (BEHAVIOUR 1.F1).
    ///
    /// - Parameters:
    ///   - request: the request that a later task will repeat.
    ///   - head: the answer whose body the file holds, or holds the end of.
    ///   - earlier: the token which that answer continued, if it was a 206.
    ///   - offset: bytes in the file.
    ///   - path: the file.
    ///   - now: for the two-digit years of old dates.
    ///   - home: where the first request of all went.
    package static func token(
        request: ClientRequest, head: ResponseHead, continuing earlier: ResumeToken? = nil, offset: Int64,
        path: String, now: UnixTime, home: Origin? = nil
    ) -> ResumeToken? {
        let answer = ResumeHead(head)
        guard offset > 0, request.method == "GET", request.url.scheme.flatMap(Origin.defaultPort) != nil,
            answer.isPlain, !answer.refusesRanges, let origin = origin(of: answer, earlier, now),
            let length = DeclaredLength(offset), length <= origin.total ?? length
        else { return nil }
        var fields = request.fields
        for name in rangeFields { fields.remove(name) }
        return ResumeToken(
            url: request.url, fields: fields, offset: offset, validator: origin.validator, path: path,
            total: origin.total, home: home)
    }

    /// What the file is a beginning of.
    private static func origin(
        of answer: ResumeHead, _ earlier: ResumeToken?, _ now: UnixTime
    ) -> (validator: String, total: DeclaredLength?)? {
        switch answer.head.status {
        case 200:
            return answer.validator(now: now).map { ($0, answer.bodyLength) }
        case 206:
            // A range that the caller asked for by itself is not the beginning of anything we could continue.
            guard let earlier, case .part(let first, _, let total)? = answer.contentRange,
                first == DeclaredLength(earlier.offset)
            else { return nil }
            // A 206 may leave validators out (RFC 9110 15.3.7); those of the beginning still hold.
            return (earlier.validator, total ?? earlier.total)
        default:
            return nil
        }
    }
}
