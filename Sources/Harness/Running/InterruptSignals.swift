import Dispatch
import Foundation
import Serving

/// Ctrl-C, or a polite kill, ends a run in order the first time, and at once the second.
package final class InterruptSignals: @unchecked Sendable {
    // Safety: the sources are set up in `init` and cancelled in `deinit`; nothing else touches them.
    private let sources: [any DispatchSourceSignal]

    package init(_ stop: StopSignal) {
        let queue = DispatchQueue(label: "understudy.interrupt")
        sources = [SIGINT, SIGTERM].map { number in
            HeardSignal.source(number, queue: queue) {
                stop.raise()
                signal(number, SIG_DFL)
            }
        }
    }

    deinit { for source in sources { source.cancel() } }
}
