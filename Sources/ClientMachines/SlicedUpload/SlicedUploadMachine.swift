import HTTPBasics
import MachineContract

/// Which slice of a file goes out next, how long it is, and when one that failed is tried again.
///
/// Slices that failed wait in a queue of their own and go before those that were never tried, as soon as their pause is
/// over. While the last news was bad nothing new is begun, so that a server that is down is not offered the whole file.
/// The queue is bounded by the number of parallel slices: the state that has to be saved stays small.
package final class SlicedUploadMachine: Machine {
    private enum Stage { case suspended, running, over }

    private struct Flight {
        var range: Range<Int64>
        var attempt: Int
        var begun: Instant
    }

    private struct Retry {
        var range: Range<Int64>
        var failures: Int
        var due: Instant
    }

    private let settings: SliceSettings
    private var stage = Stage.suspended
    private var stored: FileRanges
    /// What was never tried, or is to be tried anew in shorter slices.
    private var fresh: FileRanges
    private var flights: [Flight] = []
    private var queue: [Retry] = []
    private var sizing: SliceSizing
    /// How many slices may be on their way now: halved by each failure, one more with each success.
    private var window: Int
    private var wasLastNewsBad = false

    /// - Parameter stored: What the server has from an earlier run.
    package init(size: Int64, stored: FileRanges = FileRanges(), settings: SliceSettings = SliceSettings()) {
        self.settings = settings
        self.stored = stored
        fresh = stored.gaps(upTo: size)
        sizing = SliceSizing(settings)
        window = settings.parallel
    }

    package var deadline: Instant? {
        guard stage == .running, flights.count < window else { return nil }
        return queue.map(\.due).min()
    }

    package func handle(_ input: SlicedUploadInput, at moment: Moment, into outputs: inout [SlicedUploadOutput]) {
        // What comes after the end was on its way when it came.
        guard stage != .over else { return }
        switch input {
        case .resume: stage = .running
        case .suspend: stage = .suspended
        case .cancel: end(.cancelled, into: &outputs)
        case .stored(let range): land(stored: range, at: moment, into: &outputs)
        case .failed(let range, let failure): land(failed: range, failure, at: moment, into: &outputs)
        case .timePassed: break
        }
        send(at: moment.instant, into: &outputs)
    }

    private func land(stored range: Range<Int64>, at moment: Moment, into outputs: inout [SlicedUploadOutput]) {
        guard let flight = land(range) else { return }
        sizing.measured(range.upperBound - range.lowerBound, in: moment.instant - flight.begun)
        if window < settings.parallel { window += 1 }
        wasLastNewsBad = false
        stored.insert(range)
        outputs.append(.advanced(stored))
    }

    private func land(
        failed range: Range<Int64>, _ failure: SliceFailure, at moment: Moment, into outputs: inout [SlicedUploadOutput]
    ) {
        guard let flight = land(range) else { return }
        guard case .passing(let asked) = failure, flight.attempt < settings.attempts else {
            return end(.failed(range), into: &outputs)
        }
        sizing.failed()
        window = max(1, window / 2)
        wasLastNewsBad = true
        let pause = settings.wait(behind: flight.attempt, asked: asked, entropy: moment.entropy)
        queue.append(Retry(range: range, failures: flight.attempt, due: moment.instant + pause))
    }

    private func land(_ range: Range<Int64>) -> Flight? {
        flights.firstIndex { $0.range == range }.map { flights.remove(at: $0) }
    }

    private func send(at now: Instant, into outputs: inout [SlicedUploadOutput]) {
        guard stage == .running else { return }
        while flights.count < window, let (range, attempt) = next(at: now) {
            flights.append(Flight(range: range, attempt: attempt, begun: now))
            outputs.append(.send(range, attempt: attempt))
        }
        if flights.isEmpty, queue.isEmpty, fresh.isEmpty { end(.complete, into: &outputs) }
    }

    private func next(at now: Instant) -> (Range<Int64>, Int)? {
        if let index = queue.indices.min(by: { queue[$0].due < queue[$1].due }), queue[index].due <= now {
            let retry = queue.remove(at: index)
            // What was too long for the network as it is now goes in shorter slices.
            let length = min(retry.range.upperBound - retry.range.lowerBound, sizing.length)
            let cut = retry.range.lowerBound + length
            fresh.insert(cut..<retry.range.upperBound)
            return (retry.range.lowerBound..<cut, retry.failures + 1)
        }
        guard !wasLastNewsBad, queue.count < settings.parallel else { return nil }
        return fresh.removeFirst(atMost: sizing.length).map { ($0, 1) }
    }

    private func end(_ end: SlicedUploadEnd, into outputs: inout [SlicedUploadOutput]) {
        stage = .over
        if !flights.isEmpty { outputs.append(.abandon) }
        outputs.append(.finish(end))
    }
}
