import Dispatch
import Foundation
@_exported import FoundationNetworking
import Judge
import ScenarioFormat
import ScriptedServer
import ServerScript
import TLSBasics

/// What the lane must know about its client: the toolchain's own URLSession.
enum LaneSession {
    /// A server that has not answered by then never will.
    static let patience = Duration.seconds(10)
    /// The trust file and the names of the cases with TLS.
    static let mountedFiles = Result { try MountedFiles() }
    /// It knows the system's names only, so scripts give their hosts as addresses; those with certificates have names.
    static func resolvesNames(of script: Script) throws -> Bool {
        if script.tls.isEmpty { return false }
        _ = try mountedFiles.get()
        return true
    }
    /// Its sessions share what they open.
    static let closesDescriptors = false

    /// They keep what they have.
    static let letsGo = false
    /// The queue is given, not left to the session: the lane is entered by others, too.
    static let makesQueues = false
    /// It asks for a serial queue.
    static let callsAtOnce = 1
    /// Which they are depends on how its libcurl was built.
    static func decodes(_ codings: String, in scenarioCase: ScenarioCase) -> Bool { !codings.isEmpty }

    /// Nothing: how far its own documentation binds it to each rule has not been looked at.
    static let watches: TaskWatch.Checks = []

    /// Its requests have no more than the lane knows.
    static let newerChanges: [RequestChange] = []

    /// It tells nothing that a recorder could take.
    static func make(
        for player: ClientLanePlayer, _ configuration: URLSessionConfiguration, _ queue: OperationQueue?,
        _ server: ScriptedServer, _ directory: TemporaryDirectory, _ recorder: TransferRecorder?
    ) throws -> URLSession {
        if !player.scenarioCase.script.tls.isEmpty { try mountedFiles.get().name(server.addresses.mapValues(\.ip)) }
        return URLSession(configuration: configuration, delegate: player.sessionDelegate(), delegateQueue: queue)
    }

    /// `ClientGaps` leaves such cases out.
    static func setForm(_ parts: [FormPart], files: [URL?], in request: inout URLRequest) throws {
        throw URLError(.unsupportedURL)
    }

    /// The same.
    static func makeUpload(
        of file: URL, _ sliced: SlicedBody, _ request: URLRequest, state: URL?, in session: URLSession
    ) throws -> LaneUpload {
        throw URLError(.unsupportedURL)
    }

    /// The same.
    static func stream(_ data: Data, from producer: TaskStep.Producer) -> InputStream { InputStream(data: data) }

    /// It has the name and nothing behind it. Never used: `ClientGaps` keeps the cases that would away.
    static let becomeDownload = URLSession.ResponseDisposition.cancel

    /// The same.
    static func task(of bytes: AsyncThrowingStream<UInt8, any Error>) -> URLSessionTask? { nil }

    /// The same.
    static func credential(trusting challenge: URLAuthenticationChallenge) -> URLCredential? { nil }

    /// The same.
    static func evaluates(_ challenge: URLAuthenticationChallenge, _ policy: RevocationPolicy?) -> Bool { false }

    /// The same.
    static func credential(presenting name: String) -> URLCredential? { nil }

    /// The same.
    static func tlsVersion(of transaction: URLSessionTaskTransactionMetrics) -> TLSVersion? { nil }

    /// Keeps nothing beyond the process: such cases are not played.
    static func credentialStorage(in file: String) -> URLCredentialStorage? { nil }

    /// The same.
    static func limitNetworks(_ configuration: URLSessionConfiguration, _ options: SessionOptions) {}

    static func deny(_ network: DeniedNetwork, to request: inout URLRequest) {}

    static func limitTLS(_ configuration: URLSessionConfiguration, _ options: SessionOptions) {}

    /// It has no way to make one. `ClientGaps` keeps such cases away.
    static func cookieStorage(
        answering later: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) -> HTTPCookieStorage {
        HTTPCookieStorage.shared
    }

    static let keepsAnswers = false

    /// It keeps no answers. `ClientGaps` keeps such cases away.
    static func cache(
        _ options: CacheOptions, answering later: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) -> URLCache? {
        nil
    }

    /// It tells none.
    static func sameSite(of cookie: HTTPCookie) -> String? { nil }

    /// The same.
    static func hasNoDate(_ task: URLSessionTask) -> Bool { true }

    /// The same.
    static func forwardingDelegate(_ player: ClientLanePlayer) -> any URLSessionTaskDelegate { BareDelegate(player) }

    /// The same.
    static func lines(of bytes: AsyncThrowingStream<UInt8, any Error>) -> AsyncThrowingStream<String, any Error> {
        AsyncThrowingStream { $0.finish() }
    }

    /// The same.
    static func delay(_ task: URLSessionTask, until date: Date) {}

    /// Downloads go into the process's temporary directory, which is the worker's own; so do the harness's folders.
    static func leftovers(in directory: TemporaryDirectory) -> [String] {
        let files = FileManager.default
        let names = (try? files.contentsOfDirectory(atPath: NSTemporaryDirectory())) ?? []
        let left = names.filter { !$0.hasPrefix("understudy-") }.sorted()
        for name in left { try? files.removeItem(atPath: "\(NSTemporaryDirectory())/\(name)") }
        return left
    }
}

/// It looks at none, so no case that speaks of them is played.
final class LaneNetwork: Sendable {
    init(_ kind: NetworkKind) {}

    func change(to kind: NetworkKind) {}
}
