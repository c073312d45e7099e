import HTTPBasics
import MachineContract
import NIOCore
import ServerScript

/// A server that keeps resumable uploads. Each line is a request to it, such as
/// `PATCH /u/1|Upload-Offset: 3|Upload-Complete: ?1|def`, the last piece being its body. A body that begins with `~`
/// is cut: the connection is lost behind it.
enum UploadFuzz {
    private struct Request {
        var path: String
        var bytes: ByteBuffer
        var isCut: Bool

        init?(_ line: Substring) {
            let pieces = line.split(separator: "|", omittingEmptySubsequences: false)
            let words = pieces[0].split(separator: " ")
            guard words.count == 2, pieces.count > 1, let body = pieces.last else { return nil }
            isCut = body.hasPrefix("~")
            path = String(words[1])
            var text = "\(pieces[0]) HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n"
            for field in pieces[1..<(pieces.count - 1)] { text += "\(field)\r\n" }
            bytes = ByteBuffer(string: "\(text)\r\n\(isCut ? String(body.dropFirst()) : String(body))")
        }
    }

    private static let limits = UploadLimits(maxSize: 40, minSize: 1, maxAppendSize: 20, minAppendSize: 1)

    static func check(_ bytes: ByteBuffer) throws {
        let lines = String(buffer: bytes).split(separator: "\n").prefix(16)
        let requests = lines.compactMap(Request.init)
        let whole = play(requests) { [$0] }
        let bytewise = play(requests) { bytes in bytes.readableBytesView.map { ByteBuffer(bytes: [$0]) } }
        try demand(bytewise, equals: whole, "answers depend on how requests arrive")
        var offsets: [String: Int] = [:]
        for (request, answer) in zip(requests, whole) { try checkOffset(answer, of: request.path, &offsets) }
    }

    /// What came back for each request, each over a connection of its own.
    private static func play(_ requests: [Request], _ arrival: (ByteBuffer) -> [ByteBuffer]) -> [String] {
        let rule = UploadRule(below: "/u/", limits: limits)
        let exchange = Exchange(RequestMatch(), reply: Reply(status: 201), resumable: .kept(rule))
        let machine = ScriptMachine(script: Script(routes: [Route(exchange)]), origins: [:])
        return requests.enumerated().map { index, request in
            let peer = PeerID(index)
            var answer = ""
            var inputs = [ScriptInput.accepted(peer, host: "a.test")]
            inputs += arrival(request.bytes).map { .received(peer, $0) }
            if request.isCut { inputs.append(.closed(peer)) }
            for input in inputs {
                var outputs: [ScriptOutput] = []
                machine.handle(input, at: moment, into: &outputs)
                for output in outputs {
                    switch output {
                    case .write(_, let bytes), .writeAhead(_, let bytes): answer += String(buffer: bytes)
                    case .closeOutput, .close, .strike, .spoilHandshake, .secure, .reset, .setReading, .signal, .scope,
                        .journal:
                        break
                    }
                }
            }
            return answer
        }
    }

    private static let moment = Moment(instant: .zero, date: UnixTime(seconds: 0), entropy: 0)

    /// Draft 05, 11: an offset never decreases, and here it has a limit.
    private static func checkOffset(_ answer: String, of path: String, _ offsets: inout [String: Int]) throws {
        let lines = answer.split(separator: "\r\n")
        func value(of name: String) -> String? {
            lines.first { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) }
        }
        let place = value(of: "Location") ?? path
        if let text = value(of: "Upload-Offset") {
            guard let offset = Int(text) else { throw Violation(description: "no offset: \(text)") }
            try demand(offset >= offsets[place] ?? 0, "\(place) shrinks to \(offset)")
            try demand(offset <= limits.maxSize ?? 0, "\(place) grows to \(offset)")
            offsets[place] = offset
        }
    }
}
