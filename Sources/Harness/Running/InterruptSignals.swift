import Dispatch
import Foundation
import Serving

/// Ctrl-C, or a polite kill, ends a run in order the first time, and at once when it comes again later: programs such
/// as `timeout` send it to a process and to its group, which is one wish.
package final class InterruptSignals: @unchecked Sendable {
    // Safety: the sources are set up in `init` and cancelled in `deinit`; nothing else touches them.
    private let sources: [any DispatchSourceSignal]
    private static let oneWish = DispatchTimeInterval.milliseconds(300)

    package init(_ stop: StopSignal) {
        let queue = DispatchQueue(label: "understudy.interrupt")
        sources = [SIGINT, SIGTERM].map { number in
            HeardSignal.source(number, queue: queue) {
                stop.raise()
                queue.asyncAfter(deadline: .now() + InterruptSignals.oneWish) { signal(number, SIG_DFL) }
            }
        }
    }

    deinit { for source in sources { source.cancel() } }
}
