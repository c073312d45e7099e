import HTTPBasics
import ServerScript

/// Answers that take their time.
extension Recipe {
    static let timed: [Recipe] = [
        Recipe(
            "/delay/{seconds}", "What was sent, after so many seconds: `2`, `0.5`, `300ms`.", methods: anyMethod,
            example: "/delay/0.5", differs: "up to 600 seconds, not 10", awaitsBody: true
        ) { call throws(CookbookMistake) in
            var reply = Reply.json(
                RequestEcho(call).json("args", "data", "files", "form", "headers", "origin", "url"))
            reply.delay = try call.span("seconds")
            return reply
        },
        Recipe(
            "/drip",
            """
            `numbytes` (10) over `duration` (2 s), after `delay` (0), with the status `code` (200). A pause follows each \
            byte, the last one too: who counts them is done before it, as with httpbin.
            """, example: "-N '/drip?numbytes=5&duration=1'", differs: "up to 600 seconds",
            parameters: ["numbytes", "duration", "delay", "code"], answer: drip),
        Recipe(
            "/sse", "Server-sent events: `count` (10) over `duration` (5 s), after `delay` (1 s).",
            example: "-N '/sse?count=3&duration=1&delay=0'", differs: "go-httpbin has it, httpbin has not",
            parameters: ["count", "duration", "delay"]
        ) { call throws(CookbookMistake) in
            let count = try call.whole(query: "count", 1...CookbookLimits.pieces, else: 10)
            let span = try call.span(query: "duration", else: .seconds(5))
            let events = (0..<count).map { index in
                Array("event: ping\ndata: {\"id\": \(index), \"timestamp\": \(call.request.date.seconds)}\n\n".utf8)
            }
            var reply = Reply.pieces("text/event-stream", events, pause: span / max(1, count - 1))
            reply.fields.append("Cache-Control", "no-cache")
            reply.delay = try call.span(query: "delay", else: .seconds(1))
            return reply
        },
    ]

    /// In steps of a millisecond at least, each with as many bytes as are due.
    private static func drip(_ call: RecipeCall) throws(CookbookMistake) -> Reply {
        let count = try call.size(query: "numbytes", 1...CookbookLimits.drippedSize, else: 10)
        let span = try call.span(query: "duration", else: .seconds(2))
        let steps = min(count, max(1, Int(span / .milliseconds(1))))
        let (least, more) = count.quotientAndRemainder(dividingBy: steps)
        let pause = span / steps
        return Reply(
            status: try call.whole(query: "code", 200...999, else: 200), fields: binary,
            body: .fill(UInt8(ascii: "*"), size: count),
            timeline: [
                .repeat(more, [.bytes(least + 1), .wait(pause)]), .repeat(steps - more, [.bytes(least), .wait(pause)]),
            ], delay: try call.span(query: "delay", else: .zero))
    }
}
