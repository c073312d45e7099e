import Foundation
import HTTPBasics
import NIOCore

/// What an input of the session target says: how the session is set up, and then moves, of the server and of the
/// caller, one after another.
///
///     @session seed 3 draft 6
///     @get async
///     @answer
///     HTTP/1.1 200 OK
///     Content-Length: 5
///
///     hello
///
/// A move is a line that begins with `@`; what follows it, up to the next such line, is its text. Words that nobody
/// knows are passed over, so that any bytes are some script.
struct SessionScript {
    /// Enough for any combination, and few enough for thousands of runs a second.
    private static let moveLimit = 48

    var setup = SessionSetup()
    var moves: [SessionMove] = []

    init(_ bytes: ByteBuffer) {
        for part in Self.parts(Array(bytes.readableBytesView)) {
            var words = part.line.split(separator: " ")[...]
            guard let verb = words.popFirst() else { continue }
            if verb == "session" {
                setup.read(words)
            } else if moves.count < Self.moveLimit, let move = SessionMove(verb, words, part.text) {
                moves.append(move)
            }
        }
    }

    private static func parts(_ bytes: [UInt8]) -> [(line: String, text: ArraySlice<UInt8>)] {
        var parts: [(line: String, text: ArraySlice<UInt8>)] = []
        var rest = bytes[...]
        while let mark = rest.firstIndex(of: UInt8(ascii: "@")) {
            let line = rest[mark...].dropFirst().prefix { $0 != ASCII.lineFeed }
            let behind = rest[line.endIndex...].dropFirst()
            var end = behind.startIndex
            while end < behind.endIndex, !startsMove(behind, end) { end += 1 }
            let text = behind[..<end]
            // The line end before a move belongs to it.
            parts.append((String(decoding: line, as: UTF8.self), end < behind.endIndex ? text.dropLast() : text))
            rest = behind[end...]
        }
        return parts
    }

    private static func startsMove(_ bytes: ArraySlice<UInt8>, _ place: Int) -> Bool {
        bytes[place] == UInt8(ascii: "@") && (place == bytes.startIndex || bytes[place - 1] == ASCII.lineFeed)
    }
}

/// What is decided before the session is made: `@session` and words, some with a number behind them.
struct SessionSetup {
    /// Who is next, how bytes are cut, how long they travel; nil is the plain order.
    var seed: UInt64?
    var connections = 6
    var draft: Int?
    /// How many bytes of a body may wait for their reader.
    var window = 256
    /// Milliseconds between a call and the delegate's hearing of it.
    var delay = 0
    var requestTimeout: Double?
    var resourceTimeout: Double?
    var delegate = SessionDelegateKind.full

    mutating func read(_ words: ArraySlice<Substring>) {
        var words = words
        while let word = words.popFirst() {
            if let kind = SessionDelegateKind(rawValue: String(word)) {
                delegate = kind
                continue
            }
            guard let number = words.first.flatMap({ Int($0) }) else { continue }
            words.removeFirst()
            switch word {
            case "seed": seed = UInt64(clamping: number)
            case "connections": connections = number
            case "draft": draft = number
            case "window": window = max(1, number)
            case "slow": delay = min(max(0, number), 100_000)
            case "timeout": requestTimeout = Double(number)
            case "life": resourceTimeout = Double(number)
            default: continue
            }
        }
    }
}

/// Whom the session tells.
enum SessionDelegateKind: String {
    /// Every method but the one about metrics, whose presence alone changes how a task goes.
    case full
    case metrics
    /// The questions in their asynchronous form.
    case awaiting
    /// No client.
    case bare
}
