import ClientEngine
import ClientMachines
import ClientTLS
import Dispatch
import Foundation
import HTTPBasics
import Judge
import ScenarioFormat
import ScriptedServer
import ServerScript
import TLSBasics
import TLSEngine
import TestCertificates
/// The files in `Lane` and `SocketDriver` name no module of URLSession: they see the one that this file imports for all
/// of them. The other file of this name is in `Sources/understudy-reference`, which compiles the same files against
/// FoundationNetworking.
@_exported import SessionNetworking

/// What the lane must know about its client: ours.
enum LaneSession {
    /// How long a case may take beyond what its scenario waits for.
    static let patience = Duration.seconds(15)
    /// Whether sessions find the hosts of a script by their names.
    static func resolvesNames(of script: Script) throws -> Bool { true }
    /// Whether a case must leave no descriptor open behind it.
    static let closesDescriptors = true

    /// Whether its sessions let go of their objects once they are invalid.
    static let letsGo = true
    /// Whether a session makes the queue of the lane, where it is given none.
    static let makesQueues = true
    /// How many calls at once the queue allows that a session is given.
    static let callsAtOnce = 4
    /// Whether the caller is given other bytes than those that these codings are counted in (BEHAVIOUR 2.F28).
    static func decodes(_ codings: String, in scenarioCase: ScenarioCase) -> Bool {
        let names = codings.listMembers.map { $0.prefix { $0 != ";" }.trimmingWhitespace.lowercased() }
        let coded = names.filter { !$0.isEmpty && $0 != "identity" }
        return !coded.isEmpty && coded.allSatisfy { KnownCodings(scenarioCase.codings).undoes(Substring($0)) }
    }

    /// What is looked at in every case.
    static let watches = TaskWatch.Checks.all

    /// The authority of the presets, and no other, is trusted.
    private static let tls = SessionTLS.Surroundings(
        library: .system, store: TrustStore(anchors: TestCertificates.authority))

    /// What a request has beyond FoundationNetworking's.
    static let newerChanges = [
        RequestChange("expensive access", \.allowsExpensiveNetworkAccess, false),
        RequestChange("constrained access", \.allowsConstrainedNetworkAccess, false),
        RequestChange("guess about HTTP/3", \.assumesHTTP3Capable, true),
        RequestChange("names on disk", \.allowsPersistentDNS, true),
        RequestChange("attribution", \.attribution, .user),
    ]

    /// With the permanent credentials of that file.
    static func credentialStorage(in file: String) -> URLCredentialStorage? {
        URLCredentialStorage(file: file, writesAtOnce: true)
    }

    /// A session on the server's hosts that puts its downloads into that directory.
    static func make(
        for player: ClientLanePlayer, _ configuration: URLSessionConfiguration, _ queue: OperationQueue?,
        _ server: ScriptedServer, _ directory: TemporaryDirectory, _ recorder: TransferRecorder?
    ) throws -> URLSession {
        try make(for: player, configuration, queue, server, directory, recorder) { _ in nil }
    }

    /// The same with connections that the system does not make.
    static func make(
        for player: ClientLanePlayer, _ configuration: URLSessionConfiguration, _ queue: OperationQueue?,
        _ server: ScriptedServer, _ directory: TemporaryDirectory, _ recorder: TransferRecorder?,
        connector: (any Resolver) -> (any Connector)?
    ) throws -> URLSession {
        let scenarioCase = player.scenarioCase, faults = scenarioCase.diskFaults
        let resolver = try ScriptedResolver(scenarioCase.names, server.addresses)
        var world = SessionWorld.sockets(resolver: resolver, tls: tls)
        let network = player.network
        let negotiator = ScriptedNegotiator(scenarioCase.gssapi), connector = connector(resolver)
        world.makeEngine = {
            Shard(
                settings: $0, sink: $1, resolver: resolver, tls: tls, connector: connector, negotiator: negotiator,
                paths: network, diskFaults: faults)
        }
        world.downloadDirectory = directory.path
        world.codings = KnownCodings(scenarioCase.codings)
        world.onMetrics = recorder?.listener
        let environment = player.environment
        world.environment = { environment[$0] }
        openCache(of: player, in: world)
        return URLSession(
            configuration: configuration, delegate: player.sessionDelegate(), delegateQueue: queue, world: world)
    }

    static func setForm(_ parts: [FormPart], files: [URL?], in request: inout URLRequest) throws {
        // The same in every run, so that journals can be compared.
        var form = MultipartFormData(boundary: "form-of-a-scenario")
        for (part, file) in zip(parts, files) {
            if let file {
                try refusesElsewhere(file) { try form.append(contentsOf: $0, name: part.name) }
                try form.append(contentsOf: file, name: part.name, filename: part.filename, contentType: part.type)
            } else if part.filename == nil, part.type == nil, case .text(let text) = part.content {
                form.append(text, name: part.name)
            } else {
                let data = LaneRequest.data(part.content)
                form.append(data, name: part.name, filename: part.filename, contentType: part.type)
            }
        }
        request.setBody(form)
        try form.check(holds: parts.map { LaneRequest.data($0.content) })
    }

    /// Each slice is sent by `request`, with a Content-Range.
    static func makeUpload(
        of file: URL, _ sliced: SlicedBody, _ request: URLRequest, state: URL?, in session: URLSession
    ) throws -> LaneUpload {
        var options = SlicedUpload.Options()
        options.maximumConcurrentSlices = sliced.parallel
        options.maximumAttempts = sliced.attempts
        if let length = sliced.length {
            options.initialSliceLength = length
            options.minimumSliceLength = length
            options.maximumSliceLength = length
        }
        let makeRequest: @Sendable (SlicedUpload.Slice) -> URLRequest = { slice in
            var request = request
            request.setValue(slice.contentRange, forHTTPHeaderField: "Content-Range")
            return request
        }
        try refusesElsewhere(file) { _ = try SlicedUpload(session: session, fileURL: $0, makeRequest: makeRequest) }
        let upload: SlicedUpload
        if let state, let url = request.url {
            // A plain PUT is what it makes by itself.
            let isPlain = request.httpMethod == "PUT" && request.allHTTPHeaderFields?.isEmpty != false
            upload = try SlicedUpload(
                session: session, fileURL: file, to: url, stateURL: state, options: options,
                makeRequest: isPlain ? nil : makeRequest)
        } else {
            upload = try SlicedUpload(session: session, fileURL: file, options: options, makeRequest: makeRequest)
        }
        return LaneUpload(
            start: { upload.resume(completionHandler: $0) }, run: { try await upload.run() },
            cancel: { upload.cancel() }, suspend: { upload.suspend() }, resume: { upload.resume() },
            progress: upload.progress)
    }

    /// No file is read that the caller did not name as one, whatever the URL's path (BEHAVIOUR 3.A1-missing).
    private static func refusesElsewhere(_ file: URL, _ read: (URL) throws -> Void) throws {
        var parts = URLComponents()
        (parts.scheme, parts.host, parts.path) = ("http", "localhost", file.path)
        guard let url = parts.url, url.path == file.path else { throw Misread(description: "\(file) is no path") }
        do {
            try read(url)
        } catch let error as URLError where error.code == .badURL {
            return
        }
        throw Misread(description: "\(url) is read as a file")
    }

    /// What a producer has written into a pipe that has room for it.
    static func stream(_ data: Data, from producer: TaskStep.Producer) -> InputStream {
        let streams = BoundStreams(bufferSize: data.count)
        streams.outputStream.open()
        let count =
            switch producer {
            case .closes: data.count
            case .letsGo(let count): min(count, data.count)
            }
        data.withUnsafeBytes { bytes in
            guard let start = bytes.bindMemory(to: UInt8.self).baseAddress, count > 0 else { return }
            _ = streams.outputStream.write(start, maxLength: count)
        }
        if producer == .closes { streams.outputStream.close() }
        return streams.inputStream
    }

    /// What accepts the server's certificates of this challenge.
    static func credential(trusting challenge: URLAuthenticationChallenge) -> URLCredential? {
        challenge.protectionSpace.serverTrust.map { URLCredential(trust: $0) }
    }

    /// Whether the caller's own evaluation accepts them.
    static func evaluates(_ challenge: URLAuthenticationChallenge, _ policy: RevocationPolicy?) -> Bool {
        let space = challenge.protectionSpace
        guard let trust = space.serverTrust else { return false }
        if let policy {
            let flags: CFOptionFlags =
                switch policy {
                case .asked: kSecRevocationUseAnyAvailableMethod
                case .required: kSecRevocationUseAnyAvailableMethod | kSecRevocationRequirePositiveResponse
                case .requiredList: kSecRevocationCRLMethod | kSecRevocationRequirePositiveResponse
                }
            guard let revocation = SecPolicyCreateRevocation(flags) else { return false }
            let policies = [SecPolicyCreateSSL(true, space.host as CFString), revocation]
            guard SecTrustSetPolicies(trust, policies as CFArray) == errSecSuccess else { return false }
        }
        return SecTrustEvaluateWithError(trust, nil)
    }

    /// An identity of `certs/`.
    static func credential(presenting name: String) -> URLCredential? {
        TestCertificates.identity(named: name).map {
            URLCredential(identity: SecIdentity(identity: $0), certificates: nil, persistence: .forSession)
        }
    }

    /// The version of TLS that a transaction's connection spoke.
    static func tlsVersion(of transaction: URLSessionTaskTransactionMetrics) -> TLSVersion? {
        transaction.negotiatedTLSProtocolVersion.flatMap { TLSVersion(rawValue: $0.rawValue) }
    }

    static func limitTLS(_ configuration: URLSessionConfiguration, _ options: SessionOptions) {
        let version = { (version: TLSVersion) in tls_protocol_version_t(rawValue: version.rawValue) }
        if let least = options.tlsMinimum.flatMap(version) { configuration.tlsMinimumSupportedProtocolVersion = least }
        if let most = options.tlsMaximum.flatMap(version) { configuration.tlsMaximumSupportedProtocolVersion = most }
    }

    /// A storage that is asked which cookies go along, and answers when `later` does a job.
    static func cookieStorage(
        answering later: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) -> HTTPCookieStorage {
        LateCookieStorage(later)
    }

    static func sameSite(of cookie: HTTPCookie) -> String? { cookie.sameSitePolicy?.rawValue ?? "" }

    /// How a response is answered whose body goes into a file.
    static let becomeDownload = URLSession.ResponseDisposition.becomeDownload

    /// The task that loads these bytes.
    static func task(of bytes: URLSession.AsyncBytes) -> URLSessionTask? { bytes.task }

    static func hasNoDate(_ task: URLSessionTask) -> Bool { task.earliestBeginDate == nil }

    static func forwardingDelegate(_ player: ClientLanePlayer) -> any URLSessionTaskDelegate {
        ForwardingDelegate(player)
    }

    /// Each line of the bytes.
    static func lines(of bytes: URLSession.AsyncBytes) -> AsyncLineSequence<URLSession.AsyncBytes> { bytes.lines }

    static func delay(_ task: URLSessionTask, until date: Date) { task.earliestBeginDate = date }

    /// Names of the files that downloads have left. A removal has no answer: one that is on its way has a quarter of a
    /// second.
    static func leftovers(in directory: TemporaryDirectory) -> [String] {
        for _ in 0..<25 {
            if directory.files.isEmpty { return [] }
            usleep(10_000)
        }
        return directory.files
    }
}

private struct Misread: Error, CustomStringConvertible {
    let description: String
}

extension MultipartFormData {
    /// A small form has every part, and the same bytes from any offset on (BEHAVIOUR 3.A1-parts, 3.A1-again).
    fileprivate func check(holds contents: [Data]) throws {
        guard contentLength <= 64 << 10 else { return }
        let whole = makeInputStream().rest
        guard whole.count == contentLength else {
            throw Misread(description: "its stream has \(whole.count) bytes of \(contentLength)")
        }
        var unread = whole[...]
        for (number, content) in contents.enumerated() where !content.isEmpty {
            guard let found = unread.range(of: content) else {
                throw Misread(description: "its stream lacks part \(number + 1)")
            }
            unread = unread[found.upperBound...]
        }
        guard makeInputStream(from: 7).rest == whole.dropFirst(7) else {
            throw Misread(description: "its stream from an offset has other bytes")
        }
    }
}

extension InputStream {
    /// What a reader gets who takes as much at a time as he likes.
    fileprivate var rest: Data {
        open()
        defer { close() }
        var data = Data(), piece = [UInt8](repeating: 0, count: 1000)
        while case let count = read(&piece, maxLength: piece.count), count > 0 { data += piece[..<count] }
        return data
    }
}
