import ClientMachines
import HTTPBasics
import Inflate
import NIOCore
import ServerScript

/// All content codings, alone and stacked. The first line is Content-Encoding, the rest the body.
enum InflateFuzz {
    /// Small inputs may grow for minutes; this much shows what there is to see.
    private static let enough = 128 * 1024

    private struct Outcome: Equatable {
        var output = ByteBuffer()
        var error: InflateError?
        var isCutShort = false
    }

    static func check(_ bytes: ByteBuffer) throws {
        let input = FuzzInput(bytes)
        var first: Outcome?
        for arrival in Arrival.all(of: input.rest) {
            for maxBytes in [64 * 1024, 1000] {
                guard let outcome = try decode(arrival.pieces, as: input.firstLine, maxBytes: maxBytes) else { return }
                if let first, !isPlain(input.firstLine), try areBroken(first, outcome) { continue }
                let claim = "a body decodes differently \(arrival), at most \(maxBytes) bytes at once"
                try demand(outcome, equals: first ?? outcome, claim)
                first = outcome
            }
        }
        let plain = Content.bytes(Array(input.rest.readableBytesView))
        for coding in [.gzip, .deflate, .rawDeflate, .brotli, .zstd] as [Content.Coding]
        where coding.system?.missingLibrary == nil {
            let packed = Content.compressed(plain, coding)
            let outcome = try decode([packed.bytes(at: 0, count: .max)], as: coding.name, maxBytes: 4096)
            try demand(outcome, equals: Outcome(output: input.rest), "what \(coding) packed does not unpack")
        }
    }

    /// The libraries tell of what is broken at once, or first of what came before it: only the beginning is the same.
    private static func areBroken(_ one: Outcome, _ other: Outcome) throws -> Bool {
        guard one.error == .corrupt || other.error == .corrupt else { return false }
        try demand([one, other].allSatisfy { $0.error == .corrupt || $0.isCutShort }, "a body is broken at times")
        let length = min(one.output.readableBytes, other.output.readableBytes)
        try demand(
            one.output.getSlice(at: 0, length: length), equals: other.output.getSlice(at: 0, length: length),
            "a broken body begins differently")
        return true
    }

    private static func isPlain(_ codings: String) -> Bool {
        let codings = codings.lowercased()
        return !codings.contains("br") && !codings.contains("zstd")
    }

    /// Nil when the codings are not ours to undo.
    private static func decode(_ pieces: [ByteBuffer], as codings: String, maxBytes: Int) throws -> Outcome? {
        let head = ResponseHead(status: 200, Fields([Fields.Field("Content-Encoding", codings)]))
        guard let decoder = ContentDecoder(for: head, method: "GET", .ofThisMachine) else { return nil }
        var outcome = Outcome()
        do {
            for piece in pieces {
                decoder.feed(piece)
                while let output = try decoder.next(maxBytes: maxBytes) {
                    try demand(
                        1...maxBytes ~= output.readableBytes, "\(output.readableBytes) bytes, \(maxBytes) asked for")
                    try demand(output.storageCapacity <= 128 * 1024, "a piece holds \(output.storageCapacity) bytes")
                    outcome.output.writeImmutableBuffer(output)
                    guard outcome.output.readableBytes < enough else { return cutShort(outcome) }
                }
            }
            outcome.error = decoder.finish()
        } catch let error as InflateError {
            outcome.error = error
        }
        return outcome
    }

    private static func cutShort(_ outcome: Outcome) -> Outcome {
        Outcome(output: outcome.output.getSlice(at: 0, length: enough) ?? ByteBuffer(), isCutShort: true)
    }
}
