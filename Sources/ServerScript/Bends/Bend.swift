/// One change to what the server sends, made on the way and without its knowledge: how exploration plays a peer that
/// is not sound.
///
/// As text `CONN:ANSWER:CHANGE`, such as `0:1:content-length.0=2^63` or `every:every:code=503`.
package struct Bend: Hashable, Sendable, CustomStringConvertible {
    /// Counted from 0 in the order of acceptance; nil is every one.
    package var connection: Int?
    /// Counted from 0 on its connection; informational answers count; nil is every one.
    package var answer: Int?
    package var change: Change

    package init(connection: Int?, answer: Int?, _ change: Change) {
        self.connection = connection
        self.answer = answer
        self.change = change
    }

    package enum Change: Hashable, Sendable {
        /// Another status code: `code=206`.
        case code(Int)
        /// A number of the head's: `content-range.1=2^63` is the second one of that field.
        case number(String, index: Int, NumberEdge)
        /// The size of a chunk: `chunk.2=2^63`.
        case chunkSize(Int, NumberEdge)
        /// A field that is there: `content-length~doubled`.
        case field(String, FieldChange)
        /// A field that was not there: `+keep-alive=0`.
        case added(AddedField, NumberEdge)
        /// More than any client wants: `bomb=trailers`.
        case bomb(Bomb)
        /// One bit of the byte at an offset from the beginning of the answer: `flip=117.3`.
        case flip(Int, bit: Int)
        /// So many bytes change places with as many behind them: `swap=40.16`.
        case swap(Int, count: Int)
    }

    /// Pieces that are to change places are held back until both are there.
    package static let mostSwapped = 4096

    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let change = Change(String(parts[2])) else { return nil }
        let places = parts[..<2].map { ($0 == Bend.every, Bend.number($0)) }
        guard places.allSatisfy({ $0 || $1 != nil }) else { return nil }
        self.init(connection: places[0].1, answer: places[1].1, change)
    }

    package var description: String {
        "\(connection.map(String.init) ?? Bend.every):\(answer.map(String.init) ?? Bend.every):\(change)"
    }

    private static let every = "every"

    /// Digits only, and few: a place in a run.
    static func number(_ text: some StringProtocol) -> Int? {
        text.utf8.count <= 9 ? RequestRules.decimal(text) : nil
    }
}

/// What a peer may do to a field that is there.
package enum FieldChange: String, Hashable, Sendable, CaseIterable {
    /// The same line twice.
    case doubled
    /// A second line that says something else.
    case contradicted
    case emptied
    case removed
    /// A value of 64 KiB.
    case huge
}

/// More than any client wants; "without end" is more than a client has a bound for.
package enum Bomb: String, Hashable, Sendable, CaseIterable {
    /// A small body that unpacks into 16 MiB, or into 64.
    case gzip
    case gzipInGzip = "gzip-in-gzip"
    /// 20 MiB of gzip members in each of which is nothing.
    case gzipOfNothing = "gzip-of-nothing"
    case singleByteChunks = "single-byte-chunks"
    /// A million of them on one chunk.
    case chunkExtensions = "chunk-extensions"
    /// A size of zeros without end.
    case chunkSize = "chunk-size"
    case trailers
    /// Informational answers without end.
    case informational
    /// Status line, value and fields without end.
    case phrase, value, fields
    /// Folded lines without end.
    case folding
    /// A body that goes on behind its length.
    case surplus
}
