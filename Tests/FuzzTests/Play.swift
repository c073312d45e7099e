import NIOCore
import Testing

@testable import fuzz

/// Plays moves as an input of the session target does, and returns by what their caller was called. What does not hold
/// is recorded together with them.
@discardableResult func play(_ moves: [String]) -> Set<CallName> {
    let text = moves.joined(separator: "\n")
    do {
        let run = try SessionRun(SessionScript(ByteBuffer(string: text)))
        try run.play()
        return run.called
    } catch {
        Issue.record("\(error)\n\(text)")
        return []
    }
}
