import NIOCore
import ServerScript

/// What of one answer can be bent.
package struct AnswerShape {
    package let connection: Int
    /// Counted from 0 on the connection, as in a `Bend`.
    package let answer: Int
    /// Nil where no head could be read.
    package fileprivate(set) var head: BentHead?
    package fileprivate(set) var chunkSizes = 0
    /// Bytes of head, framing and body.
    package fileprivate(set) var count = 0
}

extension WireRecord {
    /// The answers on this connection, as far as its bytes were kept.
    package var answers: [AnswerShape] {
        var pieces = AnswerPieces()
        for method in methods { pieces.expectAnswer(to: method) }
        var answers: [AnswerShape] = []
        let own = fromServer.getSlice(at: fromServer.readerIndex + preface, length: fromServer.readableBytes - preface)
        for piece in pieces.readFromServer(own ?? ByteBuffer()) {
            if answers.last?.answer != piece.answer {
                answers.append(AnswerShape(connection: connection, answer: piece.answer))
            }
            let last = answers.count - 1
            answers[last].count += piece.bytes.readableBytes
            if piece.kind == .head { answers[last].head = BentHead(piece.bytes) }
            if piece.kind == .framing, AnswerPieces.size(of: piece.bytes) != nil { answers[last].chunkSizes += 1 }
        }
        return answers
    }
}
