import Dispatch
import Foundation
@_exported import FoundationNetworking
import Judge
import ScenarioFormat
import ScriptedServer

/// What the lane must know about its client: the toolchain's own URLSession.
enum LaneSession {
    /// Whoever has not answered by then never will.
    static let patience = Duration.seconds(5)
    /// It knows the system's names only: scripts give their hosts as addresses.
    static let resolvesNames = false
    /// Its sessions share what they open.
    static let closesDescriptors = false

    /// It tells nothing that a recorder could take.
    ///
    /// The queue is given, not left to the session: the lane is entered by others, too.
    static func make(
        for player: ClientLanePlayer, server: ScriptedServer, directory: TemporaryDirectory,
        recorder: TransferRecorder?
    ) throws -> URLSession {
        URLSession(
            configuration: player.configuration, delegate: player.sessionDelegate(), delegateQueue: LaneQueue())
    }

    /// `ClientGaps` leaves such cases out.
    static func setForm(_ parts: [FormPart], files: [URL?], in request: inout URLRequest) throws {
        throw URLError(.unsupportedURL)
    }

    /// The same.
    static func makeUpload(
        of file: URL, _ sliced: SlicedBody, _ request: URLRequest, in session: URLSession
    ) throws -> LaneUpload {
        throw URLError(.unsupportedURL)
    }

    /// It has the name and nothing behind it. Never used: `ClientGaps` keeps the cases that would away.
    static let becomeDownload = URLSession.ResponseDisposition.cancel

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

/// A delegate queue that keeps the dispatch queue beneath it alive.
private final class LaneQueue: OperationQueue, @unchecked Sendable {
    // Safety: immutable.
    private let lane = DispatchQueue(label: "understudy.lane")

    override init() {
        super.init()
        maxConcurrentOperationCount = 1
        underlyingQueue = lane
    }
}
