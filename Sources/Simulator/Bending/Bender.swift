import NIOCore
import ServerScript

/// Bends what the server sends on one connection.
///
/// It sits in front of the pipe: readers of the wire see what was really sent, and the server, which is told
/// that its own bytes were taken, knows nothing of it.
struct Bender {
    private let bends: [Bend]
    private var pieces = AnswerPieces()
    /// Those that have changed a byte.
    private(set) var reached: Set<Bend> = []
    private var answer = -1
    /// Those of the answer under way.
    private var present: [Bend] = []
    private var places = BentPlaces()
    private var chunks = 0
    /// What the rest of this answer would be is not sent, a bomb took its place.
    private var isReplaced = false

    /// Nil where no bend names the connection.
    init?(_ bends: [Bend], connection: Int) {
        self.bends = bends.filter { ($0.connection ?? connection) == connection }
        if self.bends.isEmpty { return nil }
    }

    mutating func readFromClient(_ bytes: ByteBuffer) { pieces.readFromClient(bytes) }

    /// What is to be sent now in place of these bytes; nothing as long as a head is not whole.
    mutating func readFromServer(_ bytes: ByteBuffer) -> [ByteBuffer] {
        pieces.readFromServer(bytes).flatMap { bent($0) }
    }

    /// What was held back and must go out, now that the server finishes.
    mutating func finish() -> [ByteBuffer] {
        let last = pieces.finish().map { bent($0) } ?? []
        return last + places.finish()
    }

    private mutating func bent(_ piece: AnswerPieces.Piece) -> [ByteBuffer] {
        var output: [ByteBuffer] = []
        if piece.answer != answer {
            output += places.finish()
            answer = piece.answer
            present = bends.filter { ($0.answer ?? answer) == answer }
            places = BentPlaces(present)
            chunks = 0
            isReplaced = false
        }
        if present.isEmpty { return output + [piece.bytes] }
        if isReplaced { return output }
        let bytes = piece.kind == .head ? head(piece.bytes) : [framing(piece)]
        return output + bytes.flatMap { places.take($0, &reached) }
    }

    private mutating func head(_ bytes: ByteBuffer) -> [ByteBuffer] {
        var head = BentHead(bytes)
        for bend in present {
            let before = head.bytes
            head.apply(bend.change)
            if head.bytes != before { reached.insert(bend) }
        }
        for bend in present {
            guard case .bomb(let bomb) = bend.change else { continue }
            reached.insert(bend)
            isReplaced = bomb != .informational
            return head.carrying(bomb)
        }
        return [ByteBuffer(bytes: head.bytes)]
    }

    private mutating func framing(_ piece: AnswerPieces.Piece) -> ByteBuffer {
        guard piece.kind == .framing, let digits = AnswerPieces.size(of: piece.bytes) else { return piece.bytes }
        defer { chunks += 1 }
        for bend in present {
            guard case .chunkSize(chunks, let edge) = bend.change else { continue }
            let text = Array(edge.text(of: String(decoding: digits, as: UTF8.self), radix: 16).utf8)
            if text != digits { reached.insert(bend) }
            return ByteBuffer(bytes: text + piece.bytes.readableBytesView.dropFirst(digits.count))
        }
        return piece.bytes
    }
}
