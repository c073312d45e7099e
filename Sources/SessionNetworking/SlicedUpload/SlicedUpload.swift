#if !canImport(Darwin)
import BodyFiles
import ClientMachines
import Foundation
import Locks

/// Sends a large file to a server in slices, several at a time, and goes on after a failure or a restart where it was.
///
/// Each slice is a request of its own, made by the caller's closure or, in the simple form, a `PUT` with Content-Range
/// (RFC 9110 14.5). A status of 200 to 299 means that the server has the slice. The first slices measure the network;
/// from then on a slice is as long as what goes out in `Options.sliceDuration`. A slice that fails for a passing reason
/// (a lost connection, a timeout, status 408, 425, 429, 500, 502, 503 or 504) is queued and tried again after a pause;
/// any other failure, and too many of one slice, end the upload.
///
///     let upload = try SlicedUpload(session: session, fileURL: movie, to: url, stateURL: saved)
///     try await upload.run()
///
/// Like a task of the session it does nothing before it is started, and lives until it is over. No slice is ever in
/// memory: the kernel takes them from the disk to the connection. All members may be used from any thread. Neither
/// Apple's nor FoundationNetworking's API has it.
public final class SlicedUpload: NSObject, ProgressReporting, @unchecked Sendable {
    // Safety: mutable state is in `shared` under its lock; the rest is immutable.

    /// One request's part of the file.
    public struct Slice: Hashable, Sendable {
        /// Where it begins, in bytes from the file's beginning.
        public let offset: Int64
        /// Bytes, at least 1.
        public let length: Int
        /// Bytes of the whole file.
        public let fileSize: Int64
        /// 1 for the first time that these bytes are sent, by this object.
        public let attempt: Int

        /// The value for a Content-Range field, such as `bytes 0-262143/1000000`.
        public var contentRange: String { "bytes \(offset)-\(offset + Int64(length) - 1)/\(fileSize)" }
    }

    struct Shared {
        var state: State
        var run: SlicedUploadRun?
        var isPaused = false
        var isOver = false
    }

    let session: URLSession
    let fileURL: URL
    let settings: SliceSettings
    let makeRequest: @Sendable (Slice) throws -> URLRequest
    /// Where the state is kept, if we are to keep it.
    let stateURL: URL?
    let shared: Lock<Shared>

    /// Bytes that the server has, out of those of the file. Pausing and cancelling it act on the upload.
    public let progress: Progress

    /// Prepares an upload; nothing is sent before `run()` or `resume()`.
    ///
    /// - Parameters:
    ///   - session: Whose connections are used; its `httpMaximumConnectionsPerHost` is a bound for parallel slices.
    ///   - fileURL: A regular file that is not empty. It must not change until the upload is over.
    ///   - state: The saved state of an earlier upload of this file; nil starts a new upload.
    ///   - options: How to cut, and how hard to try.
    ///   - makeRequest: Makes the request for a slice; its body is set afterwards. Called on a queue of the upload's
    ///     own. An error that it throws ends the upload.
    /// - Throws: `URLError`: `.badURL`, `.fileDoesNotExist`, `.noPermissionsToReadFile`, `.fileIsDirectory` and
    ///   `.cannotOpenFile` for what is no readable file, `.zeroByteResource` for an empty one, and
    ///   `.cannotDecodeRawData` for a state that is not of this file as it is now.
    public convenience init(
        session: URLSession, fileURL: URL, state: State? = nil, options: Options = Options(),
        makeRequest: @escaping @Sendable (Slice) throws -> URLRequest
    ) throws {
        try self.init(session, fileURL, state, stateURL: nil, options, makeRequest)
    }

    /// Prepares an upload that keeps its state in a file: written after each slice, by replacing the file, and removed
    /// when the upload is complete. A process that was killed makes the same call again and goes on.
    ///
    /// - Parameters:
    ///   - session: As in the other form.
    ///   - fileURL: As in the other form.
    ///   - url: Where the slices go if `makeRequest` is nil.
    ///   - stateURL: Where the state is kept. A file that is there already is continued from.
    ///   - options: As in the other form.
    ///   - makeRequest: As in the other form; nil sends each slice by `PUT` to `url`, with Content-Range.
    /// - Throws: As the other form; and `.cannotDecodeRawData` when the file at `stateURL` is no state. Remove it to
    ///   begin anew.
    public convenience init(
        session: URLSession, fileURL: URL, to url: URL, stateURL: URL, options: Options = Options(),
        makeRequest: (@Sendable (Slice) throws -> URLRequest)? = nil
    ) throws {
        let state = try State(contentsOf: stateURL)
        let put: @Sendable (Slice) throws -> URLRequest = { slice in
            var request = URLRequest(url: url)
            request.httpMethod = "PUT"
            request.setValue(slice.contentRange, forHTTPHeaderField: "Content-Range")
            request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
            return request
        }
        try self.init(session, fileURL, state, stateURL: stateURL, options, makeRequest ?? put)
    }

    private init(
        _ session: URLSession, _ fileURL: URL, _ state: State?, stateURL: URL?, _ options: Options,
        _ makeRequest: @escaping @Sendable (Slice) throws -> URLRequest
    ) throws {
        let version = try SourceFile.version(of: fileURL)
        guard version.size > 0 else { throw URLError(.zeroByteResource, "\(fileURL.path) is empty.") }
        if let state, state.version != version {
            throw URLError(.cannotDecodeRawData, "\(fileURL.path) has changed since the state was saved.")
        }
        let state = state ?? State(version: version, stored: FileRanges())
        self.session = session
        self.fileURL = fileURL
        self.stateURL = stateURL
        self.makeRequest = makeRequest
        settings = options.settings(hostLimit: session.settled.httpMaximumConnectionsPerHost)
        shared = Lock(Shared(state: state))
        progress = Progress(totalUnitCount: version.size)
        super.init()
        progress.completedUnitCount = state.stored.count
        progress.cancellationHandler = { [weak self] in self?.cancel() }
        progress.pausingHandler = { [weak self] in self?.suspend() }
        progress.resumingHandler = { [weak self] in self?.resume() }
    }

    /// The state to save for going on later, in another process too: which bytes of which file the server has.
    public var state: State { shared.withLock { $0.state } }

    /// Sends the file, and returns when the server has all of it. Cancelling the Swift task cancels the upload.
    ///
    /// - Throws: The `URLError` of the slice that failed for good: what its task failed with, or `.badServerResponse`
    ///   for an answer of the server, whose status the description tells; `.cancelled` after a cancellation;
    ///   `.cannotOpenFile` when the file has changed, and the errors of its kind when it cannot be opened any more;
    ///   `.cannotWriteToFile` when the state cannot be saved; and whatever
    ///   `makeRequest` throws. `state` then is what another upload can begin with.
    public func run() async throws {
        let result = AsyncResult<Void>()
        try await withTaskCancellationHandler {
            try await result.value { self.resume { result.fulfil($0.map { .failure($0) } ?? .success(())) } }
        } onCancel: {
            cancel()
        }
    }

    /// Starts the upload.
    ///
    /// - Parameter completionHandler: Called once, on the session's delegate queue; nil means that the server has the
    ///   whole file, else the errors of `run()`. Called with `.cancelled` for an upload that was started before.
    public func resume(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        let (run, isPaused) = shared.withLock { shared -> (SlicedUploadRun?, Bool) in
            guard shared.run == nil, !shared.isOver else { return (nil, false) }
            shared.run = SlicedUploadRun(self, stored: shared.state.stored, completionHandler)
            return (shared.run, shared.isPaused)
        }
        guard let run else {
            return session.onDelegateQueue { completionHandler(URLError(.cancelled, "The upload was started before.")) }
        }
        if !isPaused { run.submit(.resume) }
    }

    /// Goes on after `suspend()`.
    public func resume() { pause(false)?.submit(.resume) }

    /// Begins no further slice until `resume()`; those on their way arrive. An upload that was not started yet sends
    /// nothing until then, either.
    public func suspend() { pause(true)?.submit(.suspend) }

    private func pause(_ isPaused: Bool) -> SlicedUploadRun? {
        shared.withLock { shared in
            shared.isPaused = isPaused
            return shared.run
        }
    }

    /// Ends the upload with `URLError.cancelled`; `state` stays. No effect when it is over.
    public func cancel() {
        let run = shared.withLock { shared in
            if shared.run == nil { shared.isOver = true }
            return shared.run
        }
        run?.submit(.cancel)
    }
}
#endif
