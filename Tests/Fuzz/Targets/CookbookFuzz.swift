import Cookbook
import HTTPBasics
import NIOCore
import ServerScript

/// URLs of the cookbook. The first line is the target, behind its method if there is one; the others are fields; what
/// stands behind an empty line is the body.
enum CookbookFuzz {
    private static let cookbook = Cookbook(
        cases: CookbookCases([
            CookbookCase("a/b", script: Script(steps: [Step(.exchange(Exchange(RequestMatch("GET", "/a"))))]))
        ]))

    static func check(_ bytes: ByteBuffer) throws {
        let input = FuzzInput(bytes)
        let words = input.firstLine.split(separator: " ", maxSplits: 1).map(String.init)
        guard let target = words.last else { return }
        let rest = String(buffer: input.rest)
        let parts = rest.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var fields = Fields([Fields.Field("Host", "a.test")])
        for line in parts[0].split(separator: "\n") {
            let pieces = line.split(separator: ":", maxSplits: 1).map(String.init)
            // As the reader of requests lets them through.
            guard pieces.count == 2, pieces[1].utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }),
                pieces[0].utf8.allSatisfy(ASCII.isTokenCharacter)
            else { continue }
            fields.append(pieces[0], String(pieces[1].trimmingWhitespace))
        }
        let body = Array((parts.count > 1 ? parts[1] : "").utf8)
        let head = ReceivedHead(
            method: words.count > 1 ? words[0] : "GET", target: target, fields: fields,
            framing: body.isEmpty ? .none : .length(body.count))
        let request = ImprovisedRequest(head, date: UnixTime(seconds: 0), turn: 2, draw: 3)
        let answer = { cookbook.improvise(request) { _ in nil } }
        guard let found = answer() else { return }
        try demand(answer(), equals: found, "the same request has two answers")
        guard let first = found.exchange.reply else { throw Violation(description: "no answer") }
        try check(first, found.exchange.faults)
        guard found.awaitsBody else { return }
        try check(
            cookbook.reply(to: request, body: RecordedBody(prefix: body, count: body.count, checksum: 0)),
            found.exchange.faults)
    }

    private static func check(_ reply: Reply, _ faults: [Fault]) throws {
        try demand((200...999).contains(reply.status), "the status \(reply.status)")
        try demand(reply.body.plainSize.map { $0 <= 1 << 40 } ?? false, "a body without a bound")
        for field in reply.fields.list + reply.trailers.list {
            try demand(field.name.utf8.allSatisfy(ASCII.isTokenCharacter) && !field.name.isEmpty, "a field's name")
            let isClean = field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == ASCII.tab }
            try demand(isClean, "a control character in \(field.name)")
        }
        for fault in faults {
            try demand(fault.landmark.kind.homes.contains(.exchange), "a fault at \(fault.landmark)")
            try demand(fault.landmark.kind.objection(to: fault.effect.kind) == nil, "\(fault.effect) in a wrong place")
        }
    }
}
