import HTTPBasics
import ServerScript

/// Status codes, and the way to other URLs.
extension Recipe {
    static let statuses: [Recipe] = [
        Recipe(
            "/status/{codes}",
            "This status from 200 to 999; of a list such as `200:3,503:1`, with weights, one that the seed decides.",
            methods: anyMethod,
            example: "-i /status/503",
            differs: "texts of its own for 402 and 418; a list that is wrong is refused"
        ) { call throws(CookbookMistake) in
            .status(try StatusChoice(call["codes"]).pick(call.request.draw))
        },
        Recipe(
            "/redirect/{n}", "So many redirects, then /get; `?absolute=true` with whole URLs.",
            example: "-iL /redirect/2", parameters: ["absolute"]
        ) { call throws(CookbookMistake) in
            let isAbsolute = call.query("absolute")?.lowercased() == "true"
            return try redirect(call, kind: isAbsolute ? "absolute-redirect" : "relative-redirect", isAbsolute)
        },
        Recipe("/relative-redirect/{n}", "The same with paths in Location.", example: "-iL /relative-redirect/2") {
            call throws(CookbookMistake) in try redirect(call, kind: "relative-redirect", false)
        },
        Recipe("/absolute-redirect/{n}", "The same with whole URLs in Location.", example: "-iL /absolute-redirect/2") {
            call throws(CookbookMistake) in try redirect(call, kind: "absolute-redirect", true)
        },
        Recipe(
            "/redirect-to", "A redirect to `url`, with `status_code` or 302. A form may say both.", methods: anyMethod,
            example: "-i '/redirect-to?url=/get&status_code=307'",
            differs: "a status that is no 3xx is refused; a form is read",
            awaitsBody: true, answer: redirectTo),
    ]

    private static func redirect(
        _ call: RecipeCall, kind: String, _ isAbsolute: Bool
    ) throws(CookbookMistake) -> Reply {
        let count = try call.whole("n", 1...CookbookLimits.redirects)
        let path = count == 1 ? "/get" : "/\(kind)/\(count - 1)"
        return .bare(302, [("Location", isAbsolute ? call.base + path : path)])
    }

    private static func redirectTo(_ call: RecipeCall) throws(CookbookMistake) -> Reply {
        var items = call.target.query
        let type = call.fields.first("Content-Type").flatMap { MediaType(parsing: $0) }
        if type?.essence == "application/x-www-form-urlencoded" {
            items += CookbookTarget.items(String(decoding: call.body.prefix, as: UTF8.self))
        }
        let awaits = call.body.count == 0 && call.head.framing != .none
        guard let url = items.first(where: { $0.name.equalsIgnoringCase("url") })?.value else {
            // The form is still to come.
            if awaits { return .bare(302) }
            throw CookbookMistake("?url is missing: where to")
        }
        let code = items.first { $0.name.equalsIgnoringCase("status_code") }?.value
        if code == nil { try call.target.checkNames(["status_code"]) }
        let status = try code.map { text throws(CookbookMistake) in
            try CookbookNumber.whole(text, "?status_code", 300...399)
        }
        return .bare(status ?? 302, [("Location", try location(url))])
    }

    /// What is no ASCII is percent-encoded; what would end the field, or begins another, is refused.
    private static func location(_ url: String) throws(CookbookMistake) -> String {
        let url = try RecipeCall.value(url, "?url")
        guard !url.utf8.contains(ASCII.space), !url.utf8.contains(ASCII.tab) else {
            throw CookbookMistake("?url: a URL has no blanks: %2520 is one in it")
        }
        return url.utf8.reduce(into: "") { result, byte in
            let digits = String(byte, radix: 16, uppercase: true)
            if byte < 0x80 { result.unicodeScalars.append(Unicode.Scalar(byte)) } else { result += "%\(digits)" }
        }
    }
}

extension Reply {
    /// With what httpbin adds to some of them.
    static func status(_ code: Int) -> Reply {
        switch code {
        case 301, 302, 303, 305, 307, 308: .bare(code, [("Location", "/redirect/1")])
        case 401: .bare(code, [("WWW-Authenticate", "Basic realm=\"Fake Realm\"")])
        case 407: .bare(code, [("Proxy-Authenticate", "Basic realm=\"Fake Realm\"")])
        case 402: .plain("payment is required\n", status: code)
        case 418: .plain("a teapot: short and stout\n", status: code)
        case 429, 503: .bare(code, [("Retry-After", "1")])
        default: .bare(code)
        }
    }
}

/// `503`, or a list with weights: `200:3,503:0.5`.
struct StatusChoice {
    /// Weights are in millionths.
    private let codes: [(code: Int, weight: Int)]

    init(_ text: String) throws(CookbookMistake) {
        let parts = text.utf8.split(separator: ASCII.comma, maxSplits: 100, omittingEmptySubsequences: false)
        guard parts.count <= 100 else { throw CookbookMistake("codes: more than 100") }
        var codes: [(code: Int, weight: Int)] = []
        for part in parts.map({ Substring($0) }) {
            let pieces = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let code = try CookbookNumber.whole(String(pieces[0]), "codes", 200...999)
            guard pieces.count > 1 else {
                codes.append((code, 1_000_000))
                continue
            }
            guard let weight = CookbookNumber.decimal(String(pieces[1]), places: 6), weight <= 1_000_000_000_000 else {
                throw CookbookMistake(
                    "codes: '\(CookbookNumber.excerpt(String(pieces[1])))' is no weight such as 0.25 or 3")
            }
            codes.append((code, weight))
        }
        guard codes.contains(where: { $0.weight > 0 }) else { throw CookbookMistake("codes: every weight is 0") }
        self.codes = codes
    }

    func pick(_ draw: UInt64) -> Int {
        let total = codes.reduce(0) { $0 + $1.weight }
        var left = Int(draw % UInt64(max(1, total)))
        for (code, weight) in codes {
            if left < weight { return code }
            left -= weight
        }
        return codes[0].code
    }
}
