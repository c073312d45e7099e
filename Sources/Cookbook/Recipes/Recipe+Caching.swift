import Digests
import HTTPBasics
import ServerScript

/// Validators, freshness, and fields of the client's choice.
extension Recipe {
    static let cached: [Recipe] = [
        Recipe(
            "/cache", "304 to a request with If-Modified-Since or If-None-Match, else /get with both validators.",
            example: "-i -H 'If-None-Match: \"x\"' /cache"
        ) { call in
            let tag = EntityTag(call.request.draw.hexadecimal).description
            let validators = [("Last-Modified", HTTPDate.text(call.request.date)), ("ETag", tag)]
            let hasCondition = ["If-Modified-Since", "If-None-Match"].contains(where: call.fields.contains)
            return hasCondition ? .bare(304, validators) : got(call, validators)
        },
        Recipe("/cache/{seconds}", "/get with Cache-Control: public, max-age=`seconds`.", example: "-i /cache/60") {
            call throws(CookbookMistake) in
            let age = try call.whole("seconds", 0...Int(Int32.max))
            return got(call, [("Cache-Control", "public, max-age=\(age)")])
        },
        Recipe(
            "/etag/{etag}", "304 where If-None-Match has this tag, 412 where If-Match has not, else /get with it.",
            example: "-i -H 'If-None-Match: \"v1\"' /etag/v1", answer: etag),
        Recipe(
            "/response-headers", "The fields of the query, in the answer and as JSON.", methods: ["GET", "POST"],
            example: "-i '/response-headers?X-Mine=1&Content-Length=5'",
            differs: "a line break is refused; a Content-Length may lie", answer: responseHeaders),
        Recipe(
            "/trailers", "The items of the query as trailer fields, behind a body in chunks.",
            example: "-i --raw '/trailers?X-Sum=1'", differs: "go-httpbin has it, httpbin has not", answer: trailers),
    ]

    private static func got(_ call: RecipeCall, _ fields: [(String, String)]) -> Reply {
        .json(RequestEcho(call).json("args", "headers", "origin", "url"), fields)
    }

    private static func etag(_ call: RecipeCall) throws(CookbookMistake) -> Reply {
        let text = call["etag"]
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != ASCII.quote }),
            text.utf8.count <= CookbookLimits.textLength
        else { throw CookbookMistake("etag: visible ASCII without quotes, as between the quotes of a tag") }
        let tag = EntityTag(text)
        let none = conditions("If-None-Match", call), match = conditions("If-Match", call)
        if none.contains(where: { $0.map(tag.weaklyMatches) ?? true }) {
            return .bare(304, [("ETag", tag.description)])
        }
        if !match.isEmpty, !match.contains(where: { $0.map(tag.stronglyMatches) ?? true }) { return .bare(412) }
        return got(call, [("ETag", tag.description)])
    }

    /// Nil stands for `*`. A tag without quotes is taken for what is meant, as httpbin does.
    private static func conditions(_ name: String, _ call: RecipeCall) -> [EntityTag?] {
        call.fields.values(name).flatMap(\.listMembers).map { member in
            let text = member.trimmingWhitespace
            return text == "*" ? nil : EntityTag(parsing: text) ?? EntityTag(String(text))
        }
    }

    private static func responseHeaders(_ call: RecipeCall) throws(CookbookMistake) -> Reply {
        guard call.target.query.count <= 100 else { throw CookbookMistake("more than 100 fields") }
        var fields = Fields()
        for item in call.target.query {
            let name = try RecipeCall.token(item.name, "the field's name")
            fields.append(name, try RecipeCall.value(item.value, name))
        }
        if !fields.contains("Content-Type") { fields.append("Content-Type", "application/json") }
        let isGiven = fields.contains("Content-Length")
        var body: [UInt8] = []
        // The length is among what is written down, and has an effect on itself.
        for _ in 0..<4 {
            var shown = fields
            if !isGiven { shown.append("Content-Length", String(body.count)) }
            let next = AnswerJSON.items(shown.list.map { CookbookItem(name: $0.name, value: $0.value) }).lines
            if next.count == body.count { break }
            body = next
        }
        var shown = fields
        if !isGiven { shown.append("Content-Length", String(body.count)) }
        body = AnswerJSON.items(shown.list.map { CookbookItem(name: $0.name, value: $0.value) }).lines
        return Reply(fields: fields, body: .bytes(body))
    }

    private static func trailers(_ call: RecipeCall) throws(CookbookMistake) -> Reply {
        guard call.target.query.count <= 100 else { throw CookbookMistake("more than 100 fields") }
        let banned = ["Content-Length", "Transfer-Encoding", "Host", "Trailer", "Authorization", "Content-Type"]
        var reply = got(call, [])
        for item in call.target.query {
            let name = try RecipeCall.token(item.name, "the field's name")
            guard !banned.contains(where: name.equalsIgnoringCase) else {
                throw CookbookMistake("the field's name: \(name) is none that may come late (RFC 9110 6.5.1)")
            }
            reply.trailers.append(name, try RecipeCall.value(item.value, name))
        }
        if !reply.trailers.isEmpty {
            reply.fields.append("Trailer", reply.trailers.list.map(\.name).joined(separator: ", "))
        }
        reply.framing = .chunked(size: 16 << 10)
        return reply
    }
}
