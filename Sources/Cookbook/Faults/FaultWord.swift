import HTTPBasics
import ServerScript

/// A word that may stand in front of a recipe, with its parameters: `/cut/{landmark}/{effect}`.
struct FaultWord: Sendable {
    let name: String
    let parameters: [String]
    let about: String
    /// What stands behind `curl` in the example.
    let example: String
    let read: @Sendable (inout FaultPath, [String]) throws(CookbookMistake) -> Void

    /// `/cut/{landmark}/{effect}`
    var form: String { "/" + ([name] + parameters.map { "{\($0)}" }).joined(separator: "/") }

    static let all: [FaultWord] = faults + conditions + wire

    static let byName: [String: FaultWord] = all.reduce(into: [:]) { $0[$1.name] = $1 }

    // MARK: - Faults

    private static let faults: [FaultWord] = [
        FaultWord(
            name: "cut", parameters: ["landmark", "effect"],
            about: "This effect at this landmark; both are the words of SCENARIO-FORMAT.",
            example: "'/cut/body+500/reset?size=1MiB'"
        ) { path, words throws(CookbookMistake) in
            guard let effect = Fault.Effect(word: words[1]) else {
                throw CookbookMistake(unknown(words[1], "effect", Fault.Effect.words.map(\.word)))
            }
            try path.add(try landmark(words[0]), effect)
        },
        FaultWord(
            name: "stall", parameters: ["landmark"], about: "Nothing more from there on; the connection stays open.",
            example: "-m 2 /stall/head-end"
        ) { path, words throws(CookbookMistake) in try path.add(try landmark(words[0]), .stall) },
        FaultWord(
            name: "garbage", parameters: ["landmark"], about: "Bytes that are not HTTP from there on, then the end.",
            example: "/garbage/request/get"
        ) { path, words throws(CookbookMistake) in try path.add(try landmark(words[0]), .garbage) },
        FaultWord(
            name: "pause", parameters: ["landmark", "time"], about: "A pause there: `300ms`, `2` or `0.5` seconds.",
            example: "/pause/body+100/500ms/html"
        ) { path, words throws(CookbookMistake) in
            try path.add(try landmark(words[0]), .delay(try CookbookNumber.span(words[1], "time")))
        },
        FaultWord(
            name: "fail", parameters: ["status"],
            about: "This status in place of the answer; 429 and 503 with Retry-After: 1.",
            example: "-i /first/2/fail/503/get"
        ) { path, words throws(CookbookMistake) in
            path.fail(try CookbookNumber.whole(words[0], "status", 200...999))
        },
    ]

    private static func landmark(_ text: String) throws(CookbookMistake) -> Fault.Landmark {
        switch Fault.Landmark.read(text) {
        case .value(let landmark): return landmark
        case .wrong(let reason): throw CookbookMistake("landmark: '\(CookbookNumber.excerpt(text))' \(reason)")
        case nil:
            let forms = Fault.Landmark.Kind.allCases.filter { $0.homes.contains(.exchange) }.map(\.form)
            let word = { (text: String) in String(text.prefix { $0.isLetter || $0 == "-" }) }
            let near = Suggestion.nearest(to: word(text), among: forms.map(word)).map { "did you mean '\($0)'? " } ?? ""
            throw CookbookMistake(
                "landmark: '\(CookbookNumber.excerpt(text))' is none; \(near)allowed: \(forms.joined(separator: ", "))")
        }
    }

    private static func unknown(_ text: String, _ name: String, _ allowed: [String]) -> String {
        "\(name): '\(CookbookNumber.excerpt(text))' is none; \(Suggestion.remedy(for: text, among: allowed))"
    }

    // MARK: - When

    private static let most = 1_000_000

    private static let conditions: [FaultWord] = [
        FaultWord(
            name: "every", parameters: ["n"],
            about: "The faults behind it happen to each n-th request for this very URL.",
            example: "/every/3/cut/request/fin/get"
        ) { path, words throws(CookbookMistake) in
            path.condition.every = try CookbookNumber.whole(words[0], "n", 1...most)
        },
        FaultWord(
            name: "first", parameters: ["n"], about: "They happen to the first n requests for this very URL only.",
            example: "/first/2/cut/body+100/reset"
        ) { path, words throws(CookbookMistake) in
            path.condition.first = try CookbookNumber.whole(words[0], "n", 1...most)
        },
        FaultWord(
            name: "chance", parameters: ["percent"],
            about: "They happen to so many requests of a hundred, as the seed decides (`serve --seed`).",
            example: "/chance/30/cut/request/reset/get"
        ) { path, words throws(CookbookMistake) in
            let text = words[0].utf8.last == UInt8(ascii: "%") ? String(words[0].dropLast()) : words[0]
            path.condition.percent = try CookbookNumber.whole(text, "percent", 0...100)
        },
    ]

    // MARK: - The answer on the wire

    private static let wire: [FaultWord] = [
        FaultWord(
            name: "rate", parameters: ["size"], about: "So many bytes in a second behind the head.",
            example: "/rate/10KiB/bytes/20KiB"
        ) { path, words throws(CookbookMistake) in path.rate = try rate(words[0]) },
        FaultWord(
            name: "split", parameters: ["n"], about: "At most n bytes in one segment, head included.",
            example: "/split/1/get"
        ) { path, words throws(CookbookMistake) in
            path.split = try CookbookNumber.whole(words[0], "n", 1...CookbookLimits.heldSize)
        },
        FaultWord(
            name: "chunked", parameters: ["size"], about: "The body in chunks of this size.",
            example: "-i --raw /chunked/16/get"
        ) { path, words throws(CookbookMistake) in
            path.chunk = try CookbookNumber.size(words[0], "size", 1...CookbookLimits.heldSize)
        },
        FaultWord(
            name: "close", parameters: [], about: "Neither length nor chunks: the end of the connection ends the body.",
            example: "-i /close/get"
        ) { path, _ in path.closes = true },
        FaultWord(
            name: "length", parameters: ["text"],
            about: "This in Content-Length, true or not; `/length/5000/cut/end/fin` ends the body too early.",
            example: "-i /length/5000/cut/end/fin/get"
        ) { path, words throws(CookbookMistake) in
            guard words[0].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }), words[0].utf8.count <= 64 else {
                throw CookbookMistake("text: up to 64 characters of visible ASCII")
            }
            path.length = words[0]
        },
        FaultWord(
            name: "encode", parameters: ["coding"],
            about: """
                The body in `gzip`, `deflate`, `raw-deflate`, `br` or `zstd` (where the system has libraries for \
                them); with `+truncated`, `+checksum` or `+length` (gzip alone) it is damaged.
                """,
            example: "--compressed /encode/gzip+checksum/get"
        ) { path, words throws(CookbookMistake) in path.coding = try coding(words[0]) },
        FaultWord(
            name: "interim", parameters: ["status"], about: "An informational answer first: 100, 102 to 199.",
            example: "-i /interim/103/get"
        ) { path, words throws(CookbookMistake) in
            let status = try CookbookNumber.whole(words[0], "status", 100...199)
            guard status != 101 else { throw CookbookMistake("status: after 101 comes no HTTP") }
            path.interims.append(Interim(status: status))
        },
        FaultWord(
            name: "read", parameters: ["size"],
            about: "Answers when so much of the request's body has been read, then ends; `none` for nothing.",
            example: "-i -T README.md /read/none/status/413"
        ) { path, words throws(CookbookMistake) in
            path.readBody =
                words[0] == "none"
                ? .none : .part(bytes: try CookbookNumber.size(words[0], "size", 0...CookbookLimits.size))
        },
        FaultWord(
            name: "read-rate", parameters: ["size"], about: "So many bytes of the request's body in a second.",
            example: "-T README.md /read-rate/4KiB/put"
        ) { path, words throws(CookbookMistake) in path.readRate = try rate(words[0]) },
    ]

    private static func rate(_ text: String) throws(CookbookMistake) -> Int {
        try CookbookNumber.size(text, "size", 1...CookbookLimits.size)
    }

    private static let codings: [(name: String, coding: Content.Coding)] = [
        ("gzip", .gzip), ("deflate", .deflate), ("raw-deflate", .rawDeflate), ("br", .brotli),
        ("zstd", .zstd),
    ]

    private static func coding(
        _ text: String
    ) throws(CookbookMistake) -> (coding: Content.Coding, damage: Content.Damage?) {
        let parts = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let coding = codings.first(where: { $0.name == parts[0] })?.coding else {
            throw CookbookMistake(unknown(parts[0], "coding", codings.map(\.name)))
        }
        if let missing = coding.system?.missingLibrary {
            throw CookbookMistake("coding: '\(parts[0])' takes \(missing), which is not installed here")
        }
        guard parts.count > 1 else { return (coding, nil) }
        guard let damage = coding.legalDamages.first(where: { $0.rawValue == parts[1] }) else {
            throw CookbookMistake(unknown(parts[1], "damage of \(parts[0])", coding.legalDamages.map(\.rawValue)))
        }
        return (coding, damage)
    }
}
