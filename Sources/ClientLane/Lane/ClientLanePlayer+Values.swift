import Foundation
import HTTPBasics
import Judge
import ScenarioFormat

/// What holds of the values that any case makes or is given: that they can be copied, kept,
/// compared and made anew.
extension ClientLanePlayer {
    private var watchesValues: Bool { stage?.watchesValues == true }

    private func check(_ holds: Bool, _ breach: @autoclosure () -> String) {
        if !holds { journal.record(breach: breach()) }
    }

    /// Two requests are equal if all is equal that can be set (BEHAVIOUR 1.A5-hash), and a copy is one of its own.
    func checkValue(_ request: URLRequest) {
        guard watchesValues, (request.httpBody?.count ?? 0) <= Self.smallBody else { return }
        let object = request as NSURLRequest
        for change in RequestChange.all + LaneSession.newerChanges where !change.reads(request) {
            var other = request
            change.make(&other)
            check(other != request, "a request with another \(change.name) is equal")
            check(change.reads(other), "the \(change.name) of a request does not read as it was set")
            check(!change.reads(request), "a copy of a request shares its \(change.name)")
            check(other as NSURLRequest != object, "a request object with another \(change.name) is equal")
            guard change.isHashed != nil else { continue }
            let isSame = other.hashValue == request.hashValue
            check(isSame != change.isHashed, "the hash of a request and its \(change.name) do not go together")
        }
        let same = request
        check(same == request && same.hashValue == request.hashValue, "a copy of a request is not equal")
        check(object as URLRequest == request && object.url == request.url, "an object of a request is another one")
        let mutable = object.mutableCopy() as? NSMutableURLRequest
        check(mutable?.isEqual(object) == true, "a mutable copy of a request is not equal")
        mutable?.setValue("other", forHTTPHeaderField: "X-Other")
        check(object.value(forHTTPHeaderField: "X-Other") == nil, "a mutable copy of a request changes the first one")
        check(mutable?.copy() as? NSURLRequest == mutable, "a copy of a mutable request is not equal")
        // A stream cannot be kept.
        guard request.httpBodyStream == nil else { return }
        check(LaneRequest.archived(object) == object, "a request that was archived is not equal")
    }

    /// A larger one would take the case's time.
    private static let smallBody = 64 << 10

    /// A response is equal to what an archive gives back, and to one that is made of what it says.
    func checkValue(_ response: URLResponse) {
        guard watchesValues, protocolRules == nil else { return }
        check((response.copy() as? URLResponse) == response, "a copy of a response is not equal")
        guard let kept = LaneRequest.archived(response) else {
            return check(false, "a response cannot be archived")
        }
        check(kept == response && kept.hash == response.hash, "a response that was archived is not equal")
        compare(kept, response, "that was archived")
        guard let response = response as? HTTPURLResponse, let url = response.url else { return }
        check((kept as? HTTPURLResponse)?.statusCode == response.statusCode, "a response lost its status in an archive")
        let fields = response.allHeaderFields as? [String: String] ?? [:]
        check((kept as? HTTPURLResponse)?.allHeaderFields as? [String: String] == fields, "a response lost its fields")
        func made(_ status: Int, _ fields: [String: String]) -> HTTPURLResponse? {
            HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
        }
        guard let built = made(response.statusCode, fields) else {
            return check(false, "a response cannot be made of what another one says")
        }
        check(built == made(response.statusCode, fields), "two responses that are made of the same are not equal")
        check(built != made(response.statusCode + 1, fields), "a response with another status is equal")
        let more = fields.merging(["X-Other": "other"]) { $1 }
        check(built != made(response.statusCode, more), "a response with another field is equal")
        check(built.statusCode == response.statusCode, "a response that is made has another status")
        check(built.allHeaderFields as? [String: String] == fields, "a response that is made has other fields")
        // Of several types the first counts, and a list of them is none.
        guard fields["Content-Type"]?.contains(",") != true else { return }
        check(built.mimeType == response.mimeType, "a response that is made has another type")
        check(built.textEncodingName == response.textEncodingName, "a response that is made has another encoding")
        guard fields["Content-Disposition"]?.contains(",") != true else { return }
        check(built.suggestedFilename == response.suggestedFilename, "a response that is made has another file name")
    }

    private func compare(_ one: URLResponse, _ other: URLResponse, _ which: String) {
        check(one.url == other.url, "a response \(which) has another URL")
        check(one.mimeType == other.mimeType, "a response \(which) has another type")
        check(one.textEncodingName == other.textEncodingName, "a response \(which) has another encoding")
        check(
            one.expectedContentLength == other.expectedContentLength, "a response \(which) has another length")
        check(one.suggestedFilename == other.suggestedFilename, "a response \(which) has another file name")
    }

    private static let secureMethods = [
        NSURLAuthenticationMethodHTTPDigest, "NSURLAuthenticationMethodNTLM", "NSURLAuthenticationMethodNegotiate",
    ]

    /// A space is the same as the one that an app would make (BEHAVIOUR 2.A15, 2.A16, 2.A17).
    func checkValue(_ challenge: URLAuthenticationChallenge) {
        guard watchesValues else { return }
        let space = challenge.protectionSpace
        func other(realm: String?, port: Int) -> URLProtectionSpace {
            space.isProxy()
                ? URLProtectionSpace(
                    proxyHost: space.host, port: port, type: space.proxyType, realm: realm,
                    authenticationMethod: space.authenticationMethod)
                : URLProtectionSpace(
                    host: space.host, port: port, protocol: space.protocol, realm: realm,
                    authenticationMethod: space.authenticationMethod)
        }
        let same = other(realm: space.realm, port: space.port)
        // A server's certificates and issuers are in no space that an app makes.
        if challenge.failureResponse != nil {
            check(same == space && same.hash == space.hash, "a space is not equal to one that an app makes")
        }
        check(other(realm: "other", port: space.port) != space, "a space of another realm is equal")
        check(other(realm: space.realm, port: 1) != space, "a space of another port is equal")
        let isSecure =
            space.protocol?.lowercased() == "https" || space.proxyType == NSURLProtectionSpaceHTTPSProxy
            || Self.secureMethods.contains(space.authenticationMethod)
        check(space.receivesCredentialSecurely == isSecure, "a space is called secure, or is not, wrongly")
        guard let proposed = challenge.proposedCredential, let user = proposed.user, let word = proposed.password else {
            return check(challenge.proposedCredential == nil, "a proposed credential lacks its user or password")
        }
        let again = URLCredential(user: user, password: word, persistence: proposed.persistence)
        check(again == proposed && again.hash == proposed.hash, "a credential is not equal to one that an app makes")
        check(LaneRequest.archived(proposed) == proposed, "a credential that was archived is not equal")
        let wrong = URLCredential(user: user, password: word + "!", persistence: proposed.persistence)
        check(wrong != proposed && wrong.hasPassword, "a credential with another password is equal")
    }

    /// What a task says before anything was done with it (BEHAVIOUR 1.A3-hints, 1.A3-priority, 1.H2-states).
    func checkNew(_ task: URLSessionTask) {
        guard LaneSession.watches.contains(.values) else { return }
        check(task.countOfBytesClientExpectsToSend == -1, "a new task expects to send something")
        check(task.countOfBytesClientExpectsToReceive == -1, "a new task expects to receive something")
        check(task.priority == URLSessionTask.defaultPriority, "a new task has another priority")
        check(task.taskDescription == nil, "a new task has a description")
        check(LaneSession.hasNoDate(task), "a new task has a date to begin at")
        check(task.copy() as? URLSessionTask === task, "a copy of a task is another one")
        check(identifiers.insert(task.taskIdentifier).inserted, "two tasks of a session have one identifier")
        task.countOfBytesClientExpectsToSend = 7
        task.countOfBytesClientExpectsToReceive = 9
        let isKept = task.countOfBytesClientExpectsToSend == 7 && task.countOfBytesClientExpectsToReceive == 9
        check(isKept, "a task's hints are not kept")
    }

    /// A copy of a configuration says the same, and is one of its own (BEHAVIOUR 1.A2-copy, 1.H1-copy).
    func checkValue(_ configuration: URLSessionConfiguration) {
        guard LaneSession.watches.contains(.values) else { return }
        guard let copy = configuration.copy() as? URLSessionConfiguration, copy !== configuration else {
            return check(false, "a configuration has no copy")
        }
        check(Self.saysSame(copy, configuration), "a copy of a configuration is not equal")
        copy.httpMaximumConnectionsPerHost += 1
        check(
            copy.httpMaximumConnectionsPerHost != configuration.httpMaximumConnectionsPerHost,
            "a copy of a configuration changes the first one")
    }

    static func saysSame(_ one: URLSessionConfiguration, _ other: URLSessionConfiguration) -> Bool {
        one.timeoutIntervalForRequest == other.timeoutIntervalForRequest
            && one.timeoutIntervalForResource == other.timeoutIntervalForResource
            && one.requestCachePolicy == other.requestCachePolicy
            && one.httpMaximumConnectionsPerHost == other.httpMaximumConnectionsPerHost
            && one.maximumBodyBytesInMemory == other.maximumBodyBytesInMemory
            && (one as PipeliningWish).httpShouldUsePipelining == (other as PipeliningWish).httpShouldUsePipelining
            && one.resumableUploadVersion == other.resumableUploadVersion
            && saysSame(one.httpAdditionalHeaders, other.httpAdditionalHeaders)
            && one.protocolClasses?.count == other.protocolClasses?.count
    }

    private static func saysSame(_ one: [AnyHashable: Any]?, _ other: [AnyHashable: Any]?) -> Bool {
        one?.mapValues { "\($0)" } == other?.mapValues { "\($0)" }
    }

    /// What a sliced upload says of itself at its end (BEHAVIOUR 3.B1-state).
    func check(_ upload: LaneUpload, _ error: (any Error)?) {
        guard LaneSession.watches.contains(.values), let progress = upload.progress else { return }
        check(progress.totalUnitCount > 0, "the progress of a sliced upload has no total")
        let isWhole = progress.completedUnitCount == progress.totalUnitCount
        check(isWhole || error != nil, "a sliced upload ends with \(progress.completedUnitCount) bytes")
    }
}

/// Something of a request that can be set.
struct RequestChange: Sendable {
    var name: String
    /// Whether the hash takes it in; nil where two hashes may differ or not.
    var isHashed: Bool?
    var make: @Sendable (inout URLRequest) -> Void
    var reads: @Sendable (URLRequest) -> Bool

    init<Value: Equatable & Sendable>(
        _ name: String, isHashed: Bool? = false, _ property: WritableKeyPath<URLRequest, Value> & Sendable,
        _ value: Value
    ) {
        self.name = name
        self.isHashed = isHashed
        make = { $0[keyPath: property] = value }
        reads = { $0[keyPath: property] == value }
    }

    private init(
        _ name: String, isHashed: Bool?, make: @escaping @Sendable (inout URLRequest) -> Void,
        reads: @escaping @Sendable (URLRequest) -> Bool
    ) {
        (self.name, self.isHashed, self.make, self.reads) = (name, isHashed, make, reads)
    }

    static let all = [
        RequestChange("URL", isHashed: true, \.url, URL(string: "http://other.test/")),
        RequestChange("method", isHashed: true, \.httpMethod, "OTHER"),
        RequestChange("body", isHashed: nil, \.httpBody, Data("other".utf8)),
        RequestChange("timeout", \.timeoutInterval, 4711),
        RequestChange("policy", \.cachePolicy, .returnCacheDataDontLoad),
        RequestChange("main document", isHashed: true, \.mainDocumentURL, URL(string: "http://main.test/")),
        RequestChange("service type", \.networkServiceType, .background),
        RequestChange("cellular access", isHashed: true, \.allowsCellularAccess, false),
        RequestChange("use of cookies", isHashed: true, \.httpShouldHandleCookies, false),
        RequestChange(
            "field", isHashed: false, make: { $0.setValue("other", forHTTPHeaderField: "X-Other") },
            reads: {
                $0.value(forHTTPHeaderField: "x-other") == "other" && $0.allHTTPHeaderFields?["X-Other"] == "other"
            }),
        RequestChange(
            "added field", isHashed: false, make: { $0.addValue("more", forHTTPHeaderField: "X-More") },
            reads: { $0.value(forHTTPHeaderField: "X-More") == "more" }),
        RequestChange(
            "list of fields", isHashed: false, make: { $0.allHTTPHeaderFields = ["X-List": "listed"] },
            reads: { $0.value(forHTTPHeaderField: "X-List") == "listed" }),
    ]
}
