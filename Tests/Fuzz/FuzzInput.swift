import HTTPBasics
import NIOCore
import TestSupport

/// How an input is cut up. Corpus files are what a person would write: nothing in them is a number in disguise.
struct FuzzInput {
    /// What stands before the first line end, for targets that read an option and then bytes.
    let firstLine: String
    /// What stands behind it.
    let rest: ByteBuffer

    init(_ bytes: ByteBuffer) {
        let view = bytes.readableBytesView
        let end = view.firstIndex(of: ASCII.lineFeed) ?? view.endIndex
        firstLine = String(decoding: view[..<end], as: UTF8.self)
        rest = ByteBuffer(bytes: view[end...].dropFirst())
    }
}

/// One way in which bytes can arrive.
struct Arrival: CustomStringConvertible {
    let description: String
    let pieces: [ByteBuffer]

    /// Whole, byte by byte, and in pieces that depend on the bytes alone, so that a finding repeats. The pieces share
    /// no storage with each other, as those from a socket do not.
    static func all(of bytes: ByteBuffer) -> [Arrival] {
        var generator = generator(for: bytes)
        var pieces: [ByteBuffer] = []
        var rest = bytes.readableBytesView[...]
        while !rest.isEmpty {
            let length = min(
                rest.count, Int.random(in: 1...(Bool.random(using: &generator) ? 4 : 64), using: &generator))
            pieces.append(ByteBuffer(bytes: rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return [
            Arrival(description: "whole", pieces: [bytes]),
            Arrival(description: "byte by byte", pieces: bytes.readableBytesView.map { ByteBuffer(bytes: [$0]) }),
            Arrival(description: "in pieces of \(pieces.map(\.readableBytes))", pieces: pieces),
        ]
    }

    /// The same for the same bytes.
    static func generator(for bytes: ByteBuffer) -> SeededGenerator {
        var checksum = Checksum()
        bytes.withUnsafeReadableBytes { checksum.update($0) }
        return SeededGenerator(seed: checksum.value)
    }
}
