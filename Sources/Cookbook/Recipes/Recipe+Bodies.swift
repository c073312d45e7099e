import HTTPBasics
import ServerScript

/// Bodies that are generated as they are sent.
extension Recipe {
    static let bodies: [Recipe] = [
        Recipe(
            "/body",
            """
            A body of `size` (64KiB without it; up to 1024GiB) and `pattern`: `counter`, which spells its own \
            offsets, `random` with `seed`, or `fill`. Answers Range and If-Range. What stands alone behind faults.
            """, example: "-i -r 16-31 '/body?size=1MiB'", parameters: ["size", "pattern", "seed"], answer: body),
        Recipe(
            "/bytes/{n}", "So many random bytes; `?seed=1` for the same ones each time.",
            example: "-o out '/bytes/1MiB?seed=1'", differs: "other bytes for a seed; up to 1 TiB", parameters: ["seed"]
        ) { call throws(CookbookMistake) in
            let content = Content.random(seed: try call.seed(), size: try call.size("n", 0...CookbookLimits.size))
            return Reply(fields: binary, body: content)
        },
        Recipe(
            "/stream-bytes/{n}", "The same in chunks of `chunk_size` (10KiB), with `seed` as well.",
            example: "'/stream-bytes/65536?chunk_size=1KiB'",
            differs: "other bytes for a seed; up to 1 TiB", parameters: ["seed", "chunk_size"]
        ) { call throws(CookbookMistake) in
            let content = Content.random(seed: try call.seed(), size: try call.size("n", 0...CookbookLimits.size))
            let size = try call.size(query: "chunk_size", 1...CookbookLimits.heldSize, else: 10 << 10)
            return Reply(fields: binary, body: content, framing: .chunked(size: size))
        },
        Recipe(
            "/stream/{n}", "So many lines of JSON, each a chunk of its own.", example: "/stream/3",
            differs: "up to 1,000 lines, 4 MiB in all"
        ) { call throws(CookbookMistake) in
            let count = try call.whole("n", 0...CookbookLimits.pieces)
            let echo = RequestEcho(call).json("args", "headers", "origin", "url")
            var lines: [[UInt8]] = []
            var size = 0
            for index in 0..<count {
                guard case .object(let members) = echo else { continue }
                let line = AnswerJSON.sorted(members + [("id", .number(index))]).line
                size += line.count
                guard size <= CookbookLimits.streamSize else {
                    throw CookbookMistake("n: \(count) lines of this request are more than 4 MiB")
                }
                lines.append(line)
            }
            return .pieces("application/json", lines, pause: .zero)
        },
        Recipe(
            "/range/{n}", "So many letters; answers Range and If-Range. `duration` is how long all of them take.",
            example: "-i -r 10-20 /range/1024", differs: "a quoted ETag; no `chunk_size`; If-Range is heeded",
            parameters: ["duration"]
        ) { call throws(CookbookMistake) in
            let count = try call.size("n", 1...CookbookLimits.rangeSize)
            let span = try call.span(query: "duration", else: .zero)
            var fields = binary
            fields.append("Accept-Ranges", "bytes")
            fields.append("ETag", EntityTag("range\(count)").description)
            let letters = (0..<count).map { UInt8(ascii: "a") + UInt8($0 % 26) }
            let rate =
                span > .zero ? max(1, Int(clamping: Int64((Double(count) / (span / .seconds(1))).rounded()))) : nil
            return Reply(fields: fields, body: .bytes(letters), isRanged: true, sendRate: rate)
        },
    ]

    static let binary = Fields([Fields.Field("Content-Type", "application/octet-stream")])

    private static func body(_ call: RecipeCall) throws(CookbookMistake) -> Reply {
        let size = try call.size(query: "size", 0...CookbookLimits.size, else: 64 << 10)
        let pattern = call.query("pattern") ?? "counter"
        let content: Content
        var name = pattern
        switch pattern {
        case "counter": content = .counter(size: size)
        case "fill": content = .fill(UInt8(ascii: "*"), size: size)
        case "random":
            let seed = call.query("seed") == nil ? call.request.seed : try call.seed()
            content = .random(seed: seed, size: size)
            name += "-\(seed)"
        default: throw CookbookMistake("?pattern: allowed: counter, random, fill")
        }
        var fields = binary
        fields.append("Accept-Ranges", "bytes")
        fields.append("ETag", EntityTag("\(name)-\(size)").description)
        return Reply(fields: fields, body: content, isRanged: true)
    }
}

extension Reply {
    /// Each piece a chunk of its own, with a pause before all but the first.
    static func pieces(_ type: String, _ pieces: [[UInt8]], pause: Duration) -> Reply {
        var reply = made(type, pieces.flatMap(\.self))
        reply.framing = .chunked(size: 16 << 10)
        for (index, piece) in pieces.enumerated() {
            if index > 0, pause > .zero { reply.timeline.append(.wait(pause)) }
            reply.timeline.append(.chunk(piece.count))
        }
        return reply
    }
}
