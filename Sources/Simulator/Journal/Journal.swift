import DequeModule
import HTTPBasics

/// The machine-level journal of a run: one line per input, output and event; the same seed gives the same bytes.
///
/// Keeps the latest lines up to a bound and says how many it dropped. Lines are written as bytes into large
/// chunks, because a run writes some twenty of them for one small exchange.
package final class Journal {
    package static let defaultLimit = 100_000

    /// False with a limit of 0: then nothing is written, since writing takes a sixth of a run's time.
    let isKept: Bool
    private let chunkLines: Int
    private let chunkLimit: Int
    private var full: Deque<[UInt8]> = []
    private let line = JournalLine()
    private var linesInChunk = 0
    /// Lines that are no longer kept.
    package private(set) var dropped = 0
    /// Lines ever written.
    package private(set) var count = 0

    /// `directory` is written as `$directory` wherever it appears.
    package init(limit: Int = Journal.defaultLimit, directory: String = "") {
        line.directory = directory
        isKept = limit > 0
        chunkLines = max(1, limit / 100)
        chunkLimit = max(1, limit / chunkLines)
    }

    /// Everything that is kept, with one line first that says what is missing.
    package var text: String {
        var text = dropped > 0 ? "(\(dropped) earlier lines dropped)\n" : ""
        for chunk in full { text += String(decoding: chunk, as: UTF8.self) }
        return text + String(decoding: line.bytes, as: UTF8.self)
    }

    func write(_ instant: Instant, _ actor: SimulatedActor, _ body: (JournalLine) -> Void) {
        if linesInChunk == chunkLines { startChunk() }
        line.time(instant).text(" ").actor(actor).text(" ")
        body(line)
        line.end()
        linesInChunk += 1
        count += 1
    }

    private func startChunk() {
        full.append(line.bytes)
        line.bytes = []
        line.bytes.reserveCapacity(chunkLines * 64)
        linesInChunk = 0
        if full.count >= chunkLimit {
            full.removeFirst()
            dropped += chunkLines
        }
    }
}
