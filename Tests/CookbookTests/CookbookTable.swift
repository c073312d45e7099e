import HTTPBasics
import NIOCore
import ServerScript

@testable import Cookbook

/// Asks the cookbook as a machine does, with the body in a second step.
struct Asked {
    var improvisation: Improvisation?
    var reply: Reply?

    init(
        _ method: String = "GET", _ target: String, fields: [(String, String)] = [], body: String? = nil,
        turn: Int = 0, draw: UInt64 = 7, seed: UInt64 = 0, scheme: String = "http"
    ) {
        var all = Fields([Fields.Field("Host", "a.test:80")])
        for (name, value) in fields { all.append(name, value) }
        let bytes = Array((body ?? "").utf8)
        let head = ReceivedHead(
            method: method, target: target, fields: all, framing: body == nil ? .none : .length(bytes.count))
        let request = ImprovisedRequest(
            head, scheme: scheme, client: "127.0.0.9", date: UnixTime(seconds: 784_111_777), turn: turn, draw: draw,
            seed: seed)
        improvisation = Cookbook().improvise(request) { _ in nil }
        reply = improvisation?.exchange.reply
        guard improvisation?.awaitsBody == true else { return }
        var sum = Checksum()
        bytes.withUnsafeBytes { sum.update($0) }
        let kept = Array(bytes.prefix(64 << 10))
        reply = Cookbook().reply(
            to: request, body: RecordedBody(prefix: kept, count: bytes.count, checksum: sum.value))
    }

    var status: Int? {
        guard let reply else { return nil }
        return !reply.challenges.isEmpty && reply.status == 200 ? 401 : reply.status
    }

    var bytes: [UInt8] {
        guard let content = reply?.body, content.count <= 4 << 20 else { return [] }
        return Array(content.bytes(at: 0, count: content.count).readableBytesView)
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Without what only is there for its looks.
    var compact: String { text.filter { $0 != " " && $0 != "\n" } }

    func field(_ name: String) -> String? { reply?.fields.first(name) }
}
