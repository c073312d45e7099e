import Dispatch
import Foundation

/// A signal of the system that calls a handler in place of what it does by itself.
package enum HeardSignal {
    /// From when this returns none is lost. `queue` is that of the handler, and not the caller's own.
    package static func source(
        _ number: Int32, queue: DispatchQueue, handler: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler(handler: handler)
        // Dispatch begins to listen on a thread of its own, some time later; until then a signal is ignored.
        let isHeard = DispatchSemaphore(value: 0)
        source.setRegistrationHandler { isHeard.signal() }
        source.activate()
        isHeard.wait()
        return source
    }
}
