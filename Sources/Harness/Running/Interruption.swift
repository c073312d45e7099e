import Dispatch
import Foundation

/// Ctrl-C ends a run in order the first time, and at once the second.
package final class Interruption: @unchecked Sendable {
    // Safety: the source is set up in `init` and cancelled in `deinit`; nothing else touches it.
    private let source: any DispatchSourceSignal

    package init(_ stop: StopSignal) {
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: DispatchQueue(label: "understudy.interrupt"))
        source.setEventHandler {
            stop.raise()
            signal(SIGINT, SIG_DFL)
        }
        source.activate()
    }

    deinit { source.cancel() }
}
