import Foundation
import HTTPBasics
import Judge
import ScenarioFormat

/// What holds of single values in every case: of lists, a request, an error, what a handler is given, metrics.
extension ClientLanePlayer {
    func check(_ check: TaskWatch.Checks, _ holds: Bool, _ breach: @autoclosure () -> String) {
        if !holds, LaneSession.watches.contains(check) { journal.record(breach: breach()) }
    }

    /// From its cancellation on, wherever its completion is by then.
    func checkIsNotListed(_ task: URLSessionTask?) {
        // One hop more in half of the cases over sockets; in virtual time it would be another schedule.
        guard let task, let stage, stage.watchesProgress else { return }
        stage.session.getAllTasks { [weak self] listed in
            self?.check(.sessions, !listed.contains { $0 === task }, "the session lists a task that was cancelled")
        }
    }

    /// The tasks that the session lists are those that run (BEHAVIOUR 1.H1-all).
    func checkTasks(then goOn: @escaping @Sendable () -> Void) {
        guard let stage, style != .async, LaneSession.watches.contains(.sessions) else { return goOn() }
        let open = tasks.values.filter { task in
            guard !task.isComplete, let handle = task.handle, journal.task(task.label)?.resumedAt != nil else {
                return false
            }
            return handle.state != .canceling
        }
        // Slices are tasks that the lane knows nothing of.
        let isWhole = !scenarioCase.tasks.contains { $0.sliced != nil }
        let wanted = Set(open.compactMap { $0.handle.map(ObjectIdentifier.init) })
        stage.session.getAllTasks { [weak self, session = stage.session] listed in
            self?.called("getAllTasks")
            let isRight = Set(listed.map(ObjectIdentifier.init)) == wanted
            if isWhole { self?.check(.sessions, isRight, "the session lists \(listed.count) tasks of \(wanted.count)") }
            session.getTasksWithCompletionHandler { [weak self] data, uploads, downloads in
                let kinds = data.count + uploads.count + downloads.count
                let areRight = !data.contains { $0 is URLSessionUploadTask }
                self?.check(
                    .sessions, kinds == listed.count && areRight, "the session lists other tasks by their kinds")
                goOn()
            }
        }
    }

    /// While the lane waits for a task, once: the session lists each task that runs, among those of its kind
    /// (BEHAVIOUR 1.H1-all, 1.H1-kinds).
    func checkKinds(waitingFor label: String) {
        guard let stage, stage.watchesProgress, style != .async, kindsChecked.insert(label).inserted else { return }
        let session = stage.session
        let begun = tasks.keys.filter { journal.task($0)?.resumedAt != nil }
        session.getTasksWithCompletionHandler { [weak self] data, uploads, downloads in
            guard let self, self.stage?.session === session else { return }
            for label in begun {
                guard let task = tasks[label], !task.isComplete, let handle = task.handle, handle.state == .running
                else {
                    continue
                }
                let isUpload = uploads.contains { $0 === handle }, isDownload = downloads.contains { $0 === handle }
                let isData = data.contains { $0 === handle }
                let kinds = [isUpload, isDownload, isData].count(where: \.self)
                let isRight =
                    kinds == 1 && isUpload == (handle is URLSessionUploadTask)
                    && isDownload == (handle is URLSessionDownloadTask)
                check(.sessions, isRight, "\(label): the session does not list it among the tasks of its kind")
            }
        }
    }

    /// A completion handler is called (BEHAVIOUR 1.B3, 1.B3-failure).
    func handed(_ label: String, hasValue: Bool, _ response: URLResponse?, _ error: (any Error)?) {
        called("handler")
        check(.handlers, hasValue == (error == nil), "\(label): its handler got both a result and an error, or neither")
        check(.handlers, error != nil || response != nil, "\(label): its handler got no response with a success")
    }

    /// The handler of `cancel(byProducingResumeData:)` comes first, with what the error has (BEHAVIOUR 1.F2-handler).
    func handed(_ data: Data?, by label: String) {
        watched[label]?.resumeData = data
        watched[label]?.hasResumeData = true
        let isLate = tasks[label]?.isComplete == true && data != nil
        check(.handlers, !isLate, "\(label): resume data came behind the completion")
    }

    /// The file of a download is its caller's until the method returns (BEHAVIOUR 1.B6-removed).
    func lent(_ location: URL, to label: String) {
        watched[label]?.file = location
        let mode = (try? FileManager.default.attributesOfItem(atPath: location.path)[.posixPermissions]) as? Int
        check(.files, mode.map { $0 & 0o077 == 0 } ?? true, "\(label): others can read its file")
    }

    /// Whether a file that tasks send, or that a `file:` URL names, is open.
    var hasOpenFile: Bool {
        LaneSession.watches.contains(.files) && folder.map { ProcessCount.hasOpenFile(in: $0.path) } == true
    }

    /// When every task is complete, and the session still there.
    func checkFiles() {
        check(.files, !hasOpenFile, "a file stays open when the task that sends it is complete")
    }

    /// How a task ends, besides what its scenario says.
    func checkEnd(_ known: Watched, _ error: (any Error)?) {
        if let file = known.file {
            check(.files, !FileManager.default.fileExists(atPath: file.path), "a file outlives the call that lent it")
        }
        guard let error else { return }
        if known.hasResumeData {
            check(.handlers, SeenEvent.resumeData(in: error) == known.resumeData, "the error has other resume data")
        }
        // What a protocol class fails with is told as it is (BEHAVIOUR 2.H19-error).
        guard protocolRules == nil, known.given?.url != nil else { return }
        checkKeys(of: error)
        // Of a redirect that cannot be followed it is the next one's.
        let isOfNext = (error as? URLError).map { Self.redirectErrors.contains($0.code) } == true
        guard !isOfNext, let asked = known.task?.currentRequest?.url else { return }
        let failed = Self.userInfo(of: error)[NSURLErrorFailingURLErrorKey] as? URL
        check(
            .errors, failed?.host == asked.host && failed?.path == asked.path && failed?.query == asked.query,
            "an error names another URL than the one that failed")
    }

    private static let redirectErrors: Set<URLError.Code> = [
        .httpTooManyRedirects, .redirectToNonExistentLocation, .unsupportedURL, .badURL, .dataLengthExceedsMaximum,
    ]

    /// BEHAVIOUR 1.A6-keys, 1.A6-text.
    private func checkKeys(of error: any Error) {
        let isProxys = scenarioCase.session.proxy != nil && (error as NSError).domain == "kCFErrorDomainCFNetwork"
        check(.errors, error is URLError || isProxys, "a task failed with a \(type(of: error))")
        let userInfo = Self.userInfo(of: error)
        let url = userInfo[NSURLErrorFailingURLErrorKey] as? URL
        check(.errors, url != nil, "an error names no URL")
        check(.errors, url?.user == nil && url?.password == nil, "an error names a password")
        let text = userInfo["NSErrorFailingURLStringKey"] as? String
        check(.errors, text == url?.absoluteString, "an error names two URLs")
        let description = userInfo[NSLocalizedDescriptionKey] as? String
        check(.errors, description?.isEmpty == false, "an error has no description")
        guard let error = error as? URLError, let words = Self.errorTexts[error.code] else { return }
        check(.errors, error.localizedDescription == words, "an error says '\(error.localizedDescription)'")
    }

    private static func userInfo(of error: any Error) -> [String: Any] {
        (error as? URLError)?.userInfo ?? (error as NSError).userInfo
    }

    /// Those that are known of Foundation (BEHAVIOUR 1.A6-text).
    private static let errorTexts: [URLError.Code: String] = [
        .cancelled: "cancelled", .timedOut: "The request timed out.", .unsupportedURL: "unsupported URL",
        .cannotConnectToHost: "Could not connect to the server.",
        .httpTooManyRedirects: "too many HTTP redirects",
        .dataLengthExceedsMaximum: "resource exceeds maximum size",
    ]

    /// What metrics say of one task agrees in itself, and with the task (BEHAVIOUR 2.G5-type).
    func check(_ metrics: URLSessionTaskMetrics, of task: URLSessionTask) {
        let interval = metrics.taskInterval
        for transaction in metrics.transactionMetrics {
            let dates = [transaction.fetchStartDate, transaction.domainLookupStartDate, transaction.connectStartDate]
                .compactMap(\.self)
            let ends = [transaction.requestEndDate, transaction.responseEndDate].compactMap(\.self)
            let isWithin = (dates + ends).allSatisfy { interval.start <= $0 && $0 <= interval.end }
            check(.metrics, isWithin, "a transaction is not within its task's interval")
            check(.metrics, zip(dates, dates.dropFirst()).allSatisfy { $0 <= $1 }, "a transaction's dates go back")
            let isLoaded = transaction.networkProtocolName != nil
            let type: URLSessionTaskMetrics.ResourceFetchType = isLoaded ? .networkLoad : .unknown
            let isKept = transaction.resourceFetchType == .localCache && !isLoaded
            check(.metrics, isKept || transaction.resourceFetchType == type, "a transaction is of another type")
            check(.metrics, isLoaded == (transaction.remotePort != nil), "a transaction has no port, or one too many")
            let isHere = (transaction.localPort == nil) == (transaction.localAddress == nil)
            check(.metrics, isHere, "a transaction has half an address of ours")
            if let port = transaction.remotePort, let asked = transaction.request.url, !transaction.isProxyConnection {
                check(.metrics, "\(port)" == "\(asked.nominalPort)", "a transaction has another port than its request")
            }
            let isSent = transaction.countOfRequestHeaderBytesSent > 0
            check(
                .metrics, isSent == (transaction.requestStartDate != nil), "a head was sent at no time, or the contrary"
            )
            let isAnswered = isLoaded && transaction.response != nil
            check(.metrics, !isAnswered || transaction.countOfResponseHeaderBytesReceived > 0, "a head has no bytes")
            checkMedium(transaction)
        }
        checkCounts(metrics, of: task)
        let last = metrics.transactionMetrics.last?.request
        check(
            .metrics, last?.url == nil || last?.url == task.currentRequest?.url,
            "the last transaction is of another URL")
        guard let response = task.response, let last = metrics.transactionMetrics.last?.response else { return }
        check(.metrics, last == response, "the last transaction has another response than its task")
    }

    /// What the transactions have in common with their task (BEHAVIOUR 2.G2-interval, 2.G6-body).
    private func checkCounts(_ metrics: URLSessionTaskMetrics, of task: URLSessionTask) {
        guard protocolRules == nil else { return }
        // What was followed is not the last one.
        let redirects = metrics.transactionMetrics.dropLast().count { transaction in
            // A 304 is the word of a server that is asked about what is kept.
            (transaction.response as? HTTPURLResponse).map { 300..<400 ~= $0.statusCode && $0.statusCode != 304 }
                == true
        }
        check(.metrics, metrics.redirectCount == redirects, "\(metrics.redirectCount) redirects of \(redirects)")
        guard metrics.transactionMetrics.count == 1, let only = metrics.transactionMetrics.first else { return }
        check(
            .metrics, only.countOfRequestBodyBytesBeforeEncoding == task.countOfBytesSent,
            "a transaction sent \(only.countOfRequestBodyBytesBeforeEncoding) bytes of a body of which "
                + "\(task.countOfBytesSent) were sent")
    }

    /// Nothing here is anything but a plain network (BEHAVIOUR 2.G8).
    private func checkMedium(_ transaction: URLSessionTaskTransactionMetrics) {
        let isSpecial =
            transaction.isProxyConnection && scenarioCase.session.proxy == nil || transaction.isCellular
            || transaction.isExpensive || transaction.isConstrained || transaction.isMultipath
        check(.metrics, !isSpecial, "a transaction went over a special network")
        let dates = [transaction.secureConnectionStartDate, transaction.secureConnectionEndDate].compactMap(\.self)
        let isSecure = transaction.request.url?.scheme?.lowercased() == "https"
        check(.metrics, dates.isEmpty || isSecure, "a transaction has dates of TLS")
        let isLoaded = transaction.networkProtocolName != nil
        let version = LaneSession.tlsVersion(of: transaction)
        check(.metrics, (version != nil) == (isSecure && isLoaded), "a transaction has a version of TLS, or none")
        check(.metrics, transaction.domainResolutionProtocol == .unknown, "a transaction knows how it was resolved")
    }

    /// Who asks, and for what (BEHAVIOUR 1.B9).
    func check(_ challenge: URLAuthenticationChallenge, of task: URLSessionTask) {
        checkValue(challenge)
        if challenge.protectionSpace.isProxy() { return checkProxy(challenge, of: task) }
        let space = challenge.protectionSpace, url = task.currentRequest?.url
        // Both without regard to case (RFC 3986 6.2.2.1).
        let isOfServer =
            space.host.lowercased() == url?.host?.lowercased() && space.port == url?.nominalPort
            && space.protocol?.lowercased() == url?.scheme?.lowercased()
        check(.requests, isOfServer, "a challenge is of another server than the request")
        let status = (challenge.failureResponse as? HTTPURLResponse)?.statusCode
        check(
            .responses, protocolRules != nil || status == (Self.isOfConnection(space) ? nil : 401),
            "a challenge has another response than a 401")
    }

    static func isOfConnection(_ space: URLProtectionSpace) -> Bool {
        ["NSURLAuthenticationMethodServerTrust", "NSURLAuthenticationMethodClientCertificate"]
            .contains(space.authenticationMethod)
    }

    /// Fields are found under every spelling of their names, and listed in their usual one (BEHAVIOUR 2.F22).
    func checkFields(of response: HTTPURLResponse) {
        let names = response.allHeaderFields.keys.compactMap { ($0 as? String)?.lowercased() }
        for (key, value) in response.allHeaderFields {
            // Only of ASCII every letter has one small one.
            guard let name = key as? String, name.utf8.isASCII, let value = value as? String else {
                continue
            }
            // An unknown name that came in two spellings is two fields.
            guard names.filter({ $0 == name.lowercased() }).count == 1 else { continue }
            let found = response.value(forHTTPHeaderField: name.lowercased())
            check(.responses, found == value, "'\(name)' of a response is not found in small letters")
        }
        for name in ["Content-Type", "Content-Length", "Date"]
        where response.value(forHTTPHeaderField: name) != nil {
            check(
                .responses, response.allHeaderFields[name] != nil, "'\(name)' of a response is listed in other letters")
        }
    }
}

extension URL {
    /// Its own port, or that of its scheme.
    var nominalPort: Int { port ?? Origin.defaultPort(of: scheme ?? "") ?? 80 }
}
