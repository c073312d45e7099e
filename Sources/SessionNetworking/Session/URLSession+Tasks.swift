#if !canImport(Darwin)
import ClientMachines
import Foundation

/// How a request becomes a task: its plan, its identifier, its first message.
extension URLSession {
    func makeDataTask(
        _ request: URLRequest, _ endpoint: Endpoint, delegate: (any URLSessionTaskDelegate)? = nil,
        identifier: Int? = nil
    ) -> URLSessionDataTask {
        let plan = makePlan(request, .data, endpoint, delegate)
        let task = URLSessionDataTask(
            session: self, identifier: identifier ?? nextIdentifier(), request: request, plan: plan, endpoint: endpoint)
        return announced(task, delegate)
    }

    func makeDownloadTask(
        _ request: URLRequest, _ endpoint: Endpoint, delegate: (any URLSessionTaskDelegate)? = nil
    ) -> URLSessionDownloadTask {
        let plan = makePlan(request, .download(resuming: nil), endpoint, delegate)
        let task = URLSessionDownloadTask(
            session: self, identifier: nextIdentifier(), request: request, plan: plan, endpoint: endpoint)
        return announced(task, delegate)
    }

    func makeResumedTask(
        _ resumeData: Data, _ endpoint: Endpoint, delegate: (any URLSessionTaskDelegate)? = nil
    ) -> URLSessionDownloadTask {
        guard let token = ResumeDataCoding.decode(resumeData), let url = URL(string: token.url.string) else {
            var plan = makePlan(nil, .download(resuming: nil), endpoint, delegate)
            plan.refusal = .unsupportedURL
            let task = URLSessionDownloadTask(
                session: self, identifier: nextIdentifier(), request: nil, plan: plan, endpoint: endpoint)
            return announced(task, delegate)
        }
        var request = URLRequest(url: url)
        for field in token.fields.list { request.addValue(field.value, forHTTPHeaderField: field.name) }
        let plan = makePlan(request, .download(resuming: token), endpoint, delegate)
        let task = URLSessionDownloadTask(
            session: self, identifier: nextIdentifier(), request: request, plan: plan, endpoint: endpoint)
        return announced(task, delegate)
    }

    private func makePlan(
        _ request: URLRequest?, _ kind: TaskPlan.Kind, _ endpoint: Endpoint, _ delegate: (any URLSessionTaskDelegate)?
    ) -> TaskPlan {
        var isDownload = false
        if case .download = kind { isDownload = true }
        let asks = DelegateChoice.questions(
            endpoint: endpoint, isDownload: isDownload, task: delegate.map { DelegateFaces($0) },
            session: dispatcher.sessionDelegate)
        let (client, refusal) = request.map { RequestBridge.clientRequest($0) } ?? (RequestBridge.noRequest, .badURL)
        let timeouts = settled.timeouts(for: request)
        return TaskPlan(
            request: client, kind: kind, asks: asks, collectsBody: endpoint.collectsBody,
            requestTimeout: timeouts.request, resourceTimeout: timeouts.resource, refusal: refusal)
    }

    /// `didCreateTask` runs on the caller's thread, before the factory returns (BEHAVIOUR 1.B1-2).
    private func announced<T: URLSessionTask>(_ task: T, _ delegate: (any URLSessionTaskDelegate)?) -> T {
        remember(task)
        if let delegate { task.shared.withLock { $0.delegate = DelegateFaces(delegate) } }
        dispatcher.tellCreated(task)
        return task
    }
}
#endif
