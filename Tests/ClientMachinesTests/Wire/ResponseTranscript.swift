import HTTPBasics
import NIOCore
import TestSupport

@testable import ClientMachines

/// Plays one connection through a reader and writes down, one line per event, what came out.
struct ResponseTranscript {
    private(set) var reader: ResponseReader
    private(set) var events: [ResponseReader.Event] = []

    init(limits: WireLimits = WireLimits(), method: String = "GET") {
        reader = ResponseReader(limits: limits)
        reader.begin(method: method)
    }

    mutating func feed(_ pieces: [ByteBuffer]) {
        for piece in pieces {
            reader.feed(piece)
            pull()
        }
    }

    mutating func close(cleanly: Bool = true) {
        reader.inputClosed(cleanly: cleanly)
        pull()
    }

    private mutating func pull() {
        while let event = reader.next() { events.append(event) }
    }

    /// Bodies as one line each, however they were split.
    var lines: [String] {
        let merged = SplitFeeder.merged(events) { left, right in
            guard case .body(var first) = left, case .body(let second) = right else { return nil }
            first.writeImmutableBuffer(second)
            return .body(first)
        }
        return merged.map { Self.line($0) }
    }

    var text: String { lines.joined(separator: " | ") }

    private static func line(_ event: ResponseReader.Event) -> String {
        switch event {
        case .informational(let head): return "informational \(line(head))"
        case .head(let head, let length): return "\(line(head)), \(length.map { "\($0) bytes" } ?? "unknown length")"
        case .body(let bytes): return "body \(String(buffer: bytes))"
        case .end(nil): return "end"
        case .end(let reason?): return "end \(reason)"
        case .failed(let failure): return "failed \(failure)"
        }
    }

    private static func line(_ head: ResponseHead) -> String {
        var line = "1.\(head.minorVersion) \(head.status)"
        if !head.reason.isEmpty { line += " \(head.reason)" }
        let fields = head.fields.fields.list.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
        return fields.isEmpty ? line : "\(line) [\(fields)]"
    }
}
