#if !canImport(Darwin)
import BodyFiles
import ClientMachines
import Foundation
import HTTPBasics
import MachineContract

/// A sliced upload under way: makes the tasks of slices, saves the state. All decisions are the machine's.
///
/// It holds itself through its tasks and timers until it is over.
final class SlicedUploadRun: World, @unchecked Sendable {
    // Safety: all mutable state is touched by jobs of `executor` only, which runs one after another.

    typealias Output = SlicedUploadOutput
    typealias Handler = @Sendable ((any Error)?) -> Void

    private let upload: SlicedUpload
    private let world: SessionWorld
    private let executor: any CallExecutor
    private let machine: SlicedUploadMachine
    private var loop: DrainLoop<SlicedUploadMachine, SlicedUploadRun>?
    private var handler: Handler?
    private var tasks: [Int64: URLSessionTask] = [:]
    /// Why the latest slice failed.
    private var failure: (any Error)?
    /// Why the state could not be saved.
    private var saving: URLError?
    private var armed: Instant?

    init(_ upload: SlicedUpload, stored: FileRanges, _ handler: @escaping Handler) {
        self.upload = upload
        self.handler = handler
        world = upload.session.dispatcher.world
        executor = world.makeBodyExecutor()
        let size = upload.progress.totalUnitCount
        machine = SlicedUploadMachine(size: size, stored: stored, settings: upload.settings)
        loop = DrainLoop(machine: machine, world: self)
    }

    func submit(_ input: SlicedUploadInput) {
        executor.run { self.loop?.submit(input) }
    }

    func moment() -> Moment { world.clock.moment() }

    func perform(_ output: SlicedUploadOutput) {
        switch output {
        case .send(let range, let attempt): send(range, attempt: attempt)
        case .advanced(let stored): advanced(stored)
        case .abandon: for offset in tasks.keys.sorted() { tasks[offset]?.cancel() }
        case .finish(let end): finish(end)
        }
    }

    func deadlineMoved(to deadline: Instant?) {
        guard let deadline, loop != nil, armed.map({ deadline < $0 }) ?? true else { return }
        armed = deadline
        world.later(max(.zero, deadline - world.clock.instant())) { [executor] in
            executor.run {
                self.armed = nil
                self.loop?.timePassed()
            }
        }
    }

    // MARK: - Slices

    private func send(_ range: Range<Int64>, attempt: Int) {
        do {
            let request = try makeRequest(range, attempt: attempt)
            // Of the server's answer to a slice only the status is read.
            let done = CompletionHandler<Data> { _, response, error in
                self.executor.run { self.ended(range, response as? HTTPURLResponse, error) }
            }
            let task = upload.session.makeDataTask(request, .dataHandler(BodyCollector(keeps: false), done))
            tasks[range.lowerBound] = task
            task.resume()
        } catch {
            failure = error
            loop?.submit(.failed(range, .lasting))
        }
    }

    private func makeRequest(_ range: Range<Int64>, attempt: Int) throws -> URLRequest {
        let version = upload.state.version
        let slice = SlicedUpload.Slice(
            offset: range.lowerBound, length: range.count, fileSize: version.size, attempt: attempt)
        var request = try upload.makeRequest(slice)
        let file = BodyFile(path: upload.fileURL.path, version: version)
        request.httpBodyStream = ComposedStream(ComposedBody([.file(file, range)]))
        return request
    }

    private func ended(_ range: Range<Int64>, _ response: HTTPURLResponse?, _ error: (any Error)?) {
        tasks[range.lowerBound] = nil
        // Its task would fail, too; but what matters is the file, not the end of this slice.
        let change = changeOfFile()
        switch change == nil ? verdict(response, error) : .failed(.lasting) {
        case .stored: loop?.submit(.stored(range))
        case .failed(let kind):
            failure = change ?? error ?? Self.refusal(response, range)
            loop?.submit(.failed(range, kind))
        }
    }

    /// Why no byte of the file counts any more (BEHAVIOUR 3.B1-changed).
    private func changeOfFile() -> URLError? {
        do throws(SourceFile.Trouble) {
            try SourceFile(path: upload.fileURL.path).check(is: upload.state.version)
            return nil
        } catch {
            return URLError(error)
        }
    }

    private func verdict(_ response: HTTPURLResponse?, _ error: (any Error)?) -> SliceVerdict {
        if let error { return .failed(Self.isPassing(error) ? .passing(retryAfter: nil) : .lasting) }
        let retryAfter = response?.value(forHTTPHeaderField: "Retry-After")
        return SliceVerdict(status: response?.statusCode ?? 0, retryAfter: retryAfter, now: moment().date)
    }

    private static func isPassing(_ error: any Error) -> Bool {
        let passing: Set<URLError.Code> = [
            .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .dnsLookupFailed,
            .notConnectedToInternet,
        ]
        return (error as? URLError).map { passing.contains($0.code) } ?? false
    }

    private static func refusal(_ response: HTTPURLResponse?, _ range: Range<Int64>) -> URLError {
        let answer = response.map { "The server answered \($0.statusCode)" } ?? "What answered was no HTTP server,"
        return URLError(
            .badServerResponse, "\(answer) to bytes \(range.lowerBound) to \(range.upperBound - 1) of the file.")
    }

    // MARK: - Results

    private func advanced(_ stored: FileRanges) {
        let state = upload.shared.withLock { shared in
            shared.state = SlicedUpload.State(version: shared.state.version, stored: stored)
            return shared.state
        }
        upload.progress.completedUnitCount = stored.count
        guard let stateURL = upload.stateURL else { return }
        do {
            try state.write(to: stateURL)
        } catch {
            saving = error
            loop?.submit(.cancel)
        }
    }

    private func finish(_ end: SlicedUploadEnd) {
        upload.shared.withLock { shared in
            shared.isOver = true
            shared.run = nil
        }
        if end == .complete, let stateURL = upload.stateURL { try? FileManager.default.removeItem(at: stateURL) }
        let result: (any Error)? =
            switch end {
            case .complete: nil
            case .cancelled: saving ?? URLError(.cancelled, "The upload was cancelled.")
            case .failed: failure ?? URLError(.unknown)
            }
        loop = nil
        guard let handler else { return }
        self.handler = nil
        upload.session.onDelegateQueue { handler(result) }
    }
}
#endif
