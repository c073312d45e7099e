import Foundation
import NIOCore

/// A whole session in virtual time, and a server that sends anything. `SessionScript` says how an input is read; what
/// holds for every one: nothing traps, each task ends once, the simulator's checkers are content, nothing is left over,
/// no file is touched that was not given, and the session is released.
enum SessionFuzz {
    /// Prints what happens, for a look at one input.
    static let isVerbose = ProcessInfo.processInfo.environment["FUZZ_VERBOSE"] != nil

    static func check(_ bytes: ByteBuffer) throws { try SessionRun(SessionScript(bytes)).play() }
}
