import HTTPBasics
import ServerScript

/// Cookies set, shown and forgotten.
extension Recipe {
    static let cookies: [Recipe] = [
        Recipe("/cookies", "The request's cookies.", example: "-b a=1 /cookies") { call in
            .json(.object([("cookies", .items(sent(call)))]))
        },
        Recipe(
            "/cookies/set/{name}/{value}", "Sets this cookie, and redirects to /cookies.",
            example: "-iL -b '' /cookies/set/a/1",
            differs: differs
        ) { call throws(CookbookMistake) in
            try setting([CookbookItem(name: call["name"], value: call["value"])])
        },
        Recipe(
            "/cookies/set", "Sets the cookies of the query, and redirects to /cookies.",
            example: "-iL -b '' '/cookies/set?a=1&b=2'", differs: differs
        ) { call throws(CookbookMistake) in try setting(call.target.query) },
        Recipe(
            "/cookies/delete", "Lets the cookies that the query names expire, and redirects to /cookies.",
            example: "-i '/cookies/delete?a'"
        ) { call throws(CookbookMistake) in
            try setting(call.target.query.map { CookbookItem(name: $0.name, value: "") }, expires: true)
        },
    ]

    private static let differs = "a value that would have to be quoted is refused"

    private static func sent(_ call: RecipeCall) -> [CookbookItem] {
        let pairs = call.fields.values("Cookie").flatMap { value in
            value.utf8.split(separator: ASCII.semicolon, maxSplits: CookbookLimits.items)
        }
        return pairs.map { pair in
            let parts = pair.split(separator: ASCII.equals, maxSplits: 1, omittingEmptySubsequences: false)
            let words = parts.map { String(Substring($0).trimmingWhitespace) }
            return CookbookItem(name: words[0], value: words.count > 1 ? words[1] : "")
        }
    }

    private static func setting(
        _ items: [CookbookItem], expires: Bool = false
    ) throws(CookbookMistake) -> Reply {
        guard items.count <= 100 else { throw CookbookMistake("more than 100 cookies") }
        var fields = [("Location", "/cookies")]
        let attributes = expires ? "; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; Path=/" : "; Path=/"
        for item in items {
            let name = try RecipeCall.token(item.name, "the cookie's name")
            // RFC 6265 4.1.1: cookie-octet.
            let isPlain = item.value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"\",;\\".utf8.contains($0) }
            guard isPlain, item.value.utf8.count <= CookbookLimits.textLength else {
                throw CookbookMistake(
                    "the value of the cookie \(name): no blanks, quotes, commas, semicolons, backslashes")
            }
            fields.append(("Set-Cookie", "\(name)=\(item.value)\(attributes)"))
        }
        return .bare(302, fields)
    }
}
