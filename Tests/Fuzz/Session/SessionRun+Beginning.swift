import BodyFiles
import ClientMachines
import Foundation
import HTTPBasics
import SessionNetworking

/// How a run's caller begins its tasks.
extension SessionRun {
    private static let taskLimit = 8

    func begin(_ beginning: TaskBeginning) {
        guard let session, tasks.count < Self.taskLimit else { return }
        let begun = BegunTask(beginning, onInvalidSession: isInvalidated)
        tasks.append(begun)
        switch beginning.kind {
        case .slices: beginSlices(begun, session)
        case .bytes: wait(begun) { try await self.readBytes(session, begun) }
        case .resumed: download(begun, session, from: downloadData(beginning))
        case .continue: continueUpload(begun, session, uploadData(beginning))
        case .again:
            let data = savedData ?? tasks.lazy.compactMap(\.resumeData).last ?? Data()
            if ResumeDataCoding.decode(data) != nil {
                download(begun, session, from: data)
            } else {
                continueUpload(begun, session, data)
            }
        case .download: download(begun, session, from: nil)
        case .upload, .file, .stream: upload(begun, session)
        case .get, .head, .post, .form: load(begun, session)
        }
    }

    // MARK: - By kind

    private func load(_ begun: BegunTask, _ session: URLSession) {
        let request = request(begun.beginning)
        switch begun.beginning.style {
        case .delegate: start(begun, session.dataTask(with: request), isWatched: true)
        case .handler: start(begun, session.dataTask(with: request, completionHandler: handler(begun)))
        case .async: wait(begun) { _ = try await session.data(for: request, delegate: self.ownDelegate(begun)) }
        }
    }

    private func upload(_ begun: BegunTask, _ session: URLSession) {
        let beginning = begun.beginning
        let request = request(beginning)
        let body = RunFolder.content.prefix(beginning.size)
        let file = URL(fileURLWithPath: folder.path(of: .body))
        switch (beginning.kind, beginning.style) {
        case (.stream, .delegate): start(begun, session.uploadTask(withStreamedRequest: request), isWatched: true)
        case (.stream, .handler): start(begun, session.dataTask(with: request, completionHandler: handler(begun)))
        case (.stream, .async): wait(begun) { _ = try await session.data(for: request) }
        case (.file, .delegate): start(begun, session.uploadTask(with: request, fromFile: file), isWatched: true)
        case (.file, .handler):
            start(begun, session.uploadTask(with: request, fromFile: file, completionHandler: handler(begun)))
        case (.file, .async):
            wait(begun) {
                _ = try await session.upload(for: request, fromFile: file, delegate: self.ownDelegate(begun))
            }
        case (_, .delegate): start(begun, session.uploadTask(with: request, from: body), isWatched: true)
        case (_, .handler):
            start(begun, session.uploadTask(with: request, from: body, completionHandler: handler(begun)))
        case (_, .async):
            wait(begun) { _ = try await session.upload(for: request, from: body, delegate: self.ownDelegate(begun)) }
        }
    }

    private func download(_ begun: BegunTask, _ session: URLSession, from data: Data?) {
        let request = request(begun.beginning)
        let done: @Sendable (URL?, URLResponse?, (any Error)?) -> Void = { [self] file, response, error in
            check(file, response, of: begun)
            ended(begun, error)
        }
        switch begun.beginning.style {
        case .delegate:
            let task = data.map { session.downloadTask(withResumeData: $0) } ?? session.downloadTask(with: request)
            start(begun, task, isWatched: true)
        case .handler:
            let task =
                data.map { session.downloadTask(withResumeData: $0, completionHandler: done) }
                ?? session.downloadTask(with: request, completionHandler: done)
            start(begun, task)
        case .async:
            wait(begun) { [self] in
                let delegate = ownDelegate(begun)
                let (file, response) =
                    if let data {
                        try await session.download(resumeFrom: data, delegate: delegate)
                    } else {
                        try await session.download(for: request, delegate: delegate)
                    }
                check(file, response, of: begun)
                // Its caller's now.
                try FileManager.default.removeItem(at: file)
            }
        }
    }

    private func continueUpload(_ begun: BegunTask, _ session: URLSession, _ data: Data) {
        switch begun.beginning.style {
        case .delegate: start(begun, session.uploadTask(withResumeData: data), isWatched: true)
        case .handler: start(begun, session.uploadTask(withResumeData: data, completionHandler: handler(begun)))
        case .async:
            wait(begun) { _ = try await session.upload(resumeFrom: data, delegate: self.ownDelegate(begun)) }
        }
    }

    private func beginSlices(_ begun: BegunTask, _ session: URLSession) {
        var options = SlicedUpload.Options()
        (options.initialSliceLength, options.minimumSliceLength, options.maximumSliceLength) = (40, 10, 100_000)
        let beginning = begun.beginning
        let file = URL(fileURLWithPath: folder.make(.body, size: beginning.size))
        do {
            let slices = try makeSlices(session, file, options, beginning)
            begun.slices = slices
            if beginning.style == .async { return wait(begun) { try await slices.run() } }
            slices.resume { [self] in ended(begun, $0) }
        } catch {
            ended(begun, error)
        }
    }

    private func makeSlices(
        _ session: URLSession, _ file: URL, _ options: SlicedUpload.Options, _ beginning: TaskBeginning
    ) throws -> SlicedUpload {
        if beginning.isSaved, let url = URL(string: beginning.url) {
            let state = URL(fileURLWithPath: folder.path(of: .state))
            return try SlicedUpload(session: session, fileURL: file, to: url, stateURL: state, options: options)
        }
        return try SlicedUpload(session: session, fileURL: file, options: options) { [self] slice in
            var request = request(beginning)
            request.httpMethod = "PUT"
            request.setValue(slice.contentRange, forHTTPHeaderField: "Content-Range")
            return request
        }
    }

    private func readBytes(_ session: URLSession, _ begun: BegunTask) async throws {
        let request = request(begun.beginning)
        let (bytes, _) = try await session.bytes(for: request, delegate: ownDelegate(begun))
        var count = 0
        for try await _ in bytes {
            count += 1
            if count == begun.beginning.size, begun.beginning.isHeld { break }
        }
    }

    /// What was put together from two answers begins with what the first one left.
    func check(_ file: URL?, _ response: URLResponse?, of begun: BegunTask?) {
        guard let begun, begun.beginning.kind == .resumed, let file, let response = response as? HTTPURLResponse,
            response.statusCode == 206, !partWasChanged
        else { return }
        let beginning = RunFolder.content.prefix(begun.beginning.size)
        if FileManager.default.contents(atPath: file.path)?.starts(with: beginning) != true {
            ledger.complain("a continued download has lost its beginning")
        }
    }

    // MARK: - By style

    private func start(_ begun: BegunTask, _ task: URLSessionTask, isWatched: Bool = false) {
        begun.task = task
        if isWatched { ledger.watch(task, begun) }
        if let delegate = ownDelegate(begun) { task.delegate = delegate }
        if let seconds = begun.beginning.delay {
            task.earliestBeginDate = Date(timeIntervalSince1970: Double(simulation.date.seconds) + seconds)
        }
        if !begun.beginning.isHeld { task.resume() }
    }

    private func wait(_ begun: BegunTask, _ body: @escaping @Sendable () async throws -> Void) {
        begun.waiter = Task(executorPreference: simulation.taskExecutor) { [self] in
            do {
                try await body()
                ended(begun, nil)
            } catch {
                ended(begun, error)
            }
        }
    }

    /// An asynchronous call that is no task: it returns once.
    func awaitHandler(_ body: @escaping @Sendable () async -> Void) {
        ledger.expectHandler { done in
            Task(executorPreference: simulation.taskExecutor) {
                await body()
                done()
            }
        }
    }

    private func handler(_ begun: BegunTask) -> @Sendable (Data?, URLResponse?, (any Error)?) -> Void {
        { [self] data, _, error in
            if (data == nil) != (error != nil) { ledger.complain("data and error are both there, or both missing") }
            ended(begun, error)
        }
    }

    private func ownDelegate(_ begun: BegunTask) -> (any URLSessionTaskDelegate)? {
        begun.beginning.hasOwnDelegate ? makeDelegate(.full) : nil
    }

    // MARK: - Requests

    private func request(_ beginning: TaskBeginning) -> URLRequest {
        guard let url = URL(string: beginning.url) else { return URLRequest(url: URL(fileURLWithPath: "/")) }
        var request = URLRequest(url: url)
        for field in beginning.fields { request.addValue(field.value, forHTTPHeaderField: field.name) }
        switch beginning.kind {
        case .get, .download, .resumed, .again, .bytes: break
        case .head: request.httpMethod = "HEAD"
        case .post:
            request.httpMethod = "POST"
            request.httpBody = RunFolder.content.prefix(beginning.size)
        case .upload, .slices, .continue: request.httpMethod = "POST"
        case .file:
            request.httpMethod = "POST"
            _ = folder.make(.body, size: beginning.size)
        case .stream:
            request.httpMethod = "POST"
            if beginning.style != .delegate {
                request.httpBodyStream = InputStream(data: RunFolder.content.prefix(beginning.size))
            }
        case .form:
            request.httpMethod = "POST"
            var form = MultipartFormData(boundary: "b")
            form.append("text", name: "text")
            let file = URL(fileURLWithPath: folder.make(.body, size: beginning.size))
            try? form.append(contentsOf: file, name: "file")
            request.setBody(form)
        }
        return request
    }

    /// Of a download that has stopped after `size` bytes.
    private func downloadData(_ beginning: TaskBeginning) -> Data {
        let path = folder.make(.part, size: beginning.size)
        let url = URLReference(beginning.url) ?? URLReference()
        let token = ResumeToken(
            url: url, fields: Fields(), offset: Int64(beginning.size), validator: "\"v\"", path: path, total: nil)
        return ResumeDataCoding.encode(token) ?? Data()
    }

    /// Of an upload whose server has said where it keeps what it has.
    private func uploadData(_ beginning: TaskBeginning) -> Data {
        let path = folder.make(.body, size: beginning.size)
        let url = URLReference(beginning.url) ?? URLReference()
        let version = try? SourceFile(path: path).version()
        let token = UploadToken(
            method: "POST", url: url, fields: Fields(), version: .six,
            location: URLReference("http://a.test/upload") ?? url, length: version.flatMap { DeclaredLength($0.size) },
            sent: version?.size ?? 0, file: version.map { BodyFile(path: path, version: $0) })
        return UploadDataCoding.encode(token) ?? Data()
    }
}
