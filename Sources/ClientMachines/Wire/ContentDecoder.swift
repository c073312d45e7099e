import HTTPBasics
import Inflate
import NIOCore

/// Undoes the codings of one response's body: Content-Encoding, and a Transfer-Encoding besides chunked.
///
/// Input is held, output is pulled in bounded pieces, by turns. A list of codings is undone from its end
/// (RFC 9110 8.4).
package final class ContentDecoder {
    /// How many codings of one kind are undone.
    static let maximumCodings = 2
    /// Bytes that wait between two codings.
    private static let stageBytes = 16 * 1024
    /// Bytes that the first one is given at a time.
    private static let inputBytes = 64 * 1024

    /// In the order in which they are undone; never empty.
    private let stages: [Inflater]
    private var input = ReceivedBytes()

    /// Nil when there is nothing to undo: no body, no coding, a part, or a coding that is not known here; what is not
    /// undone passes through as it is (BEHAVIOUR 2.F28).
    package init?(for head: ResponseHead, method: String, _ known: KnownCodings = []) {
        guard method != "HEAD", head.status != 204, head.status != 304 else { return nil }
        // A coding belongs to the representation: a part of it means nothing by itself (BEHAVIOUR 2.F28-part).
        let isWhole = head.status != 206 || ResumeHead(head).contentRange?.isWhole ?? false
        let content = isWhole ? Self.codings(head.fields, "Content-Encoding", known) : []
        // RFC 9112 7 has no others.
        let transfer = Self.codings(head.fields, "Transfer-Encoding", [])
        guard !content.isEmpty || !transfer.isEmpty else { return nil }
        stages = (content + transfer).reversed().map { Inflater($0) }
    }

    /// In the order of application; empty when there is none, one is unknown, or there are too many.
    private static func codings(_ fields: FieldBlock, _ name: String, _ known: KnownCodings) -> [Inflater.Coding] {
        var codings: [Inflater.Coding] = []
        for member in fields.members(name) {
            let name = Substring(member.utf8.prefix { $0 != ASCII.semicolon }).trimmingWhitespace
            if let coding = known.coding(name) {
                codings.append(coding)
            } else if !["", "identity", "chunked"].contains(where: name.equalsIgnoringCase) {
                return []
            }
        }
        return codings.count > maximumCodings ? [] : codings
    }

    package func feed(_ bytes: ByteBuffer) { input.append(bytes) }

    /// The next at most `maxBytes` decoded bytes; nil when that needs more input, when the body has ended, or when the
    /// budget is used up. What one coding gives to the next counts as well: it may be much, and come to nothing.
    func next(maxBytes: Int, budget: inout TurnBudget) throws(InflateError) -> ByteBuffer? {
        let output = try next(fromStage: stages.count - 1, maxBytes: maxBytes, &budget)
        if let output { budget.spend(output.readableBytes) }
        return output
    }

    /// The same without an end to the work.
    package func next(maxBytes: Int) throws(InflateError) -> ByteBuffer? {
        while true {
            var budget = TurnBudget()
            if let output = try next(maxBytes: maxBytes, budget: &budget) { return output }
            if !budget.isUsedUp { return nil }
        }
    }

    /// At most four stages, so this nests no deeper.
    private func next(
        fromStage index: Int, maxBytes: Int, _ budget: inout TurnBudget
    ) throws(InflateError) -> ByteBuffer? {
        guard maxBytes > 0 else { return nil }
        while !budget.isUsedUp {
            if let output = try stages[index].next(maxBytes: maxBytes) { return output }
            let more =
                index == 0
                ? input.take(atMost: Self.inputBytes)
                : try next(fromStage: index - 1, maxBytes: Self.stageBytes, &budget)
            guard let more else { return nil }
            budget.spend(more.readableBytes * TurnBudget.codedByte)
            stages[index].feed(more)
        }
        return nil
    }

    /// What is wrong when no more input follows and `next` has nothing more to give. An empty body is fine.
    package func finish() -> InflateError? {
        for stage in stages {
            if let error = stage.finish() { return error }
        }
        return nil
    }

    /// What a decoding error becomes (BEHAVIOUR 2.F29). Of -1015 and -1016, reports from Apple's systems show the
    /// former for a body that is not the gzip it claims to be.
    package static func kind(of error: InflateError, isDownload: Bool) -> Failure.Kind {
        switch error {
        case .corrupt: return isDownload ? .downloadDecodingFailedMidStream : .cannotDecodeRawData
        case .truncated: return isDownload ? .downloadDecodingFailedToComplete : .cannotDecodeRawData
        }
    }

    /// One sentence for people.
    package static func detail(of error: InflateError) -> String {
        switch error {
        case .corrupt: return "The body is not in the coding that its head declares."
        case .truncated: return "The encoded body ended before its coding was complete."
        }
    }
}
