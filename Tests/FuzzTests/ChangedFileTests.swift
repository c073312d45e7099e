import Testing

@testable import fuzz

/// Files that become others while they are used, at every moment: the server is never told that it has a body which was
/// never there, and a download never continues in a file that is not its own.
@Suite struct ChangedFileTests {
    private static let senders = [
        "@file delegate 150000", "@file async 150000", "@form handler 150000", "@slices handler 40",
        "@continue delegate 150000", "@file handler 300",
    ]
    private static let okay = "@answer\nHTTP/1.1 200 OK\nContent-Length: 0\n\n"

    // BEHAVIOUR 1.I5 1.I5-shorter 3.A1-changed 3.B1-changed
    @Test(arguments: senders) func `the file that is sent`(sender: String) {
        let offset = "@answer\nHTTP/1.1 204 No Content\nUpload-Draft-Interop-Version: 6\nUpload-Offset: 40\n\n"
        let first = sender.hasPrefix("@continue") ? offset : "@await 1000"
        let moves = [sender, first, "@deaf", "@wait 100", "@listen", Self.okay]
        #expect(play(moves)?.ledger.successes == 1)
        // A file that is sent as it is counts as long as it does not become shorter; a part of more, only untouched.
        let spoils: [FileChange] = sender.hasPrefix("@file") ? [.shrink] : [.shrink, .grow, .touch, .rewrite]
        for change in FileChange.allCases {
            for moment in moves.indices {
                var changed = moves
                changed.insert("@body \(change)", at: moment)
                let successes = play(changed)?.ledger.successes
                // Before the request is on its way, a file may be any.
                if moment > 1, spoils.contains(change) { #expect(successes == 0, "\(change) before move \(moment)") }
            }
        }
    }

    // BEHAVIOUR 1.F3-gone 1.F4-again
    @Test(arguments: ["delegate", "handler", "async"])
    func `the file that a download goes on with`(style: String) {
        let fields = "ETag: \"v\"\nContent-Range: bytes 20-29/30\nContent-Length: 10\n"
        let head = "@answer\nHTTP/1.1 206 Partial Content\n\(fields)\n012"
        let whole = "@answer\nHTTP/1.1 200 OK\nETag: \"v\"\nContent-Length: 3\n\nabc"
        let gone: [FileChange] = [.remove, .replace, .directory, .fifo, .link]
        let moves = ["@resumed \(style) 20", "@await 1", head, "@wait 10", "@write\n3456789", whole]
        for change in FileChange.allCases {
            for moment in moves.indices {
                var changed = moves
                changed.insert("@part \(change)", at: moment)
                let successes = play(changed)?.ledger.successes
                // The file is open, and its rest has yet to come.
                if moment == 4, gone.contains(change) { #expect(successes == 0, "\(change)") }
            }
        }
    }
}
