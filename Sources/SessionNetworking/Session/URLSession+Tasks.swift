#if !canImport(Darwin)
import BodyFiles
import ClientMachines
import Foundation
import HTTPBasics
import NIOCore

/// How a request becomes a task: its plan, its identifier, its first message.
extension URLSession {
    func makeDataTask(
        _ request: URLRequest, _ endpoint: Endpoint, delegate: (any URLSessionTaskDelegate)? = nil,
        identifier: Int? = nil
    ) -> URLSessionDataTask {
        let plan = makePlan(request, .data, endpoint)
        let task = URLSessionDataTask(
            session: self, identifier: identifier ?? nextIdentifier(), request: request, plan: plan, endpoint: endpoint)
        return announced(task, delegate)
    }

    func makeDownloadTask(
        _ request: URLRequest, _ endpoint: Endpoint, delegate: (any URLSessionTaskDelegate)? = nil
    ) -> URLSessionDownloadTask {
        let plan = makePlan(request, .download(resuming: nil), endpoint)
        let task = URLSessionDownloadTask(
            session: self, identifier: nextIdentifier(), request: request, plan: plan, endpoint: endpoint)
        return announced(task, delegate)
    }

    /// What an upload task sends; the body of its request is ignored (BEHAVIOUR 1.I1-own).
    enum UploadBody {
        case data(Data)
        case file(URL)
        /// The delegate gives it when it is needed.
        case stream
    }

    func makeUploadTask(
        _ request: URLRequest, _ body: UploadBody, _ endpoint: Endpoint,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) -> URLSessionUploadTask {
        var plan = makePlan(request, .data, endpoint)
        switch body {
        case .data(let data): plan.request.body = RequestBody(data)
        case .file(let file):
            plan.request.body = .file(BodyFile(path: file.path))
            if !file.isFileURL { plan.refusal = plan.refusal ?? .fileDoesNotExist }
        case .stream: plan.request.body = .stream(.awaited)
        }
        let version = settled.resumableUploadVersion.flatMap { ResumableUploadVersion(rawValue: $0.rawValue) }
        plan.resumable = version.map { .offer($0) }
        let task = URLSessionUploadTask(
            session: self, identifier: nextIdentifier(), request: request, plan: plan, endpoint: endpoint)
        if case .file(let file) = body {
            let size = (try? SourceFile.version(of: file))?.size
            task.shared.withLock { $0.expectedToSend = size.flatMap { DeclaredLength($0) } }
        }
        return announced(task, delegate)
    }

    /// Continues an upload; what is no resume data of one makes a task that fails.
    func makeResumedUpload(
        _ resumeData: Data, _ endpoint: Endpoint, delegate: (any URLSessionTaskDelegate)? = nil
    ) -> URLSessionUploadTask {
        var request: URLRequest?
        var plan = makePlan(nil, .data, endpoint)
        if let token = UploadDataCoding.decode(resumeData), var known = Self.request(token.url, token.fields) {
            known.httpMethod = token.method
            plan = makePlan(known, .data, endpoint)
            plan.request.body = token.body
            plan.resumable = .goOn(token)
            request = known
        } else {
            plan.refusal = .unsupportedURL
        }
        let task = URLSessionUploadTask(
            session: self, identifier: nextIdentifier(), request: request, plan: plan, endpoint: endpoint)
        if case .goOn(let token)? = plan.resumable { task.shared.withLock { $0.expectedToSend = token.length } }
        return announced(task, delegate)
    }

    func makeResumedTask(
        _ resumeData: Data, _ endpoint: Endpoint, delegate: (any URLSessionTaskDelegate)? = nil
    ) -> URLSessionDownloadTask {
        guard let token = ResumeDataCoding.decode(resumeData), let request = Self.request(token.url, token.fields)
        else {
            var plan = makePlan(nil, .download(resuming: nil), endpoint)
            plan.refusal = .unsupportedURL
            let task = URLSessionDownloadTask(
                session: self, identifier: nextIdentifier(), request: nil, plan: plan, endpoint: endpoint)
            return announced(task, delegate)
        }
        let plan = makePlan(request, .download(resuming: token), endpoint)
        let task = URLSessionDownloadTask(
            session: self, identifier: nextIdentifier(), request: request, plan: plan, endpoint: endpoint)
        return announced(task, delegate)
    }

    /// The request that resume data remember.
    private static func request(_ url: URLReference, _ fields: Fields) -> URLRequest? {
        guard let url = URL(string: url.string) else { return nil }
        var request = URLRequest(url: url)
        for field in fields.list { request.addValue(field.value, forHTTPHeaderField: field.name) }
        return request
    }

    /// What is asked is added when the task starts.
    private func makePlan(_ request: URLRequest?, _ kind: TaskPlan.Kind, _ endpoint: Endpoint) -> TaskPlan {
        let (client, refusal) = request.map { RequestBridge.clientRequest($0) } ?? (RequestBridge.noRequest, .badURL)
        let timeouts = settled.timeouts(for: request)
        var plan = TaskPlan(
            request: client, kind: kind, collectsBody: endpoint.collectsBody,
            requestTimeout: timeouts.request, resourceTimeout: timeouts.resource, refusal: refusal,
            cacheRule: settled.cacheRule(for: request))
        plan.usesCache = kind == .data && cache != nil
        plan.demands = settled.demands(for: request)
        plan.codePoint = settled.codePoint(for: request)
        return plan
    }

    /// `didCreateTask` runs on the caller's thread, before the factory returns (BEHAVIOUR 1.B1-2).
    private func announced<T: URLSessionTask>(_ task: T, _ delegate: (any URLSessionTaskDelegate)?) -> T {
        if let delegate { task.delegate = delegate }
        // Only a delegate can suspend a task before it starts if it is resumed as soon as it is made.
        if !task.endpoint.startsAtOnce || !dispatcher.candidates(.created, for: task).isEmpty { remember(task) }
        dispatcher.tellCreated(task)
        return task
    }
}
#endif
