import Dispatch
import Foundation

/// SIGHUP asks a server to give up its round. Where the terminal has gone with it, it is the end, as for any command.
package final class HangUp: @unchecked Sendable {
    // Safety: the source is set up in `init` and cancelled in `deinit`; nothing else touches it.
    private let source: any DispatchSourceSignal
    /// What the signal does.
    let take: @Sendable () -> Void

    package convenience init(stop: StopSignal, endRound: @escaping @Sendable () -> Void) {
        self.init(stop: stop, hasTerminal: { HangUp.hasTerminal }, endRound: endRound)
    }

    init(
        stop: StopSignal, hasTerminal: @escaping @Sendable () -> Bool, endRound: @escaping @Sendable () -> Void
    ) {
        // A command that is started with nohup should outlive its terminal.
        let outlives = unsafeBitCast(signal(SIGHUP, SIG_IGN), to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        let endsWithIt = !outlives && hasTerminal()
        let take: @Sendable () -> Void = { if endsWithIt, !hasTerminal() { stop.raise() } else { endRound() } }
        self.take = take
        source = HeardSignal.source(SIGHUP, queue: DispatchQueue(label: "understudy.hang-up"), handler: take)
    }

    deinit { source.cancel() }

    private static var hasTerminal: Bool {
        let descriptor = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        // If descriptors have run out, it is unknown.
        guard descriptor >= 0 else { return errno != ENXIO }
        return close(descriptor) == 0
    }
}
