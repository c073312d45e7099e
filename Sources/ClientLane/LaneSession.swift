import ClientEngine
import Dispatch
import Foundation
import Judge
import ScenarioFormat
import ScriptedServer
/// The files in `Lane` name no module of URLSession: they see the one that this file imports for all of them. The other
/// file of this name is in `Sources/understudy-reference`, which compiles the same `Lane` against FoundationNetworking.
@_exported import SessionNetworking

/// What the lane must know about its client: ours.
enum LaneSession {
    /// How long a case may take beyond what its scenario waits for.
    static let patience = Duration.seconds(15)
    /// Whether sessions find the hosts of a script by their names.
    static let resolvesNames = true
    /// Whether a case must leave no descriptor open behind it.
    static let closesDescriptors = true

    /// A session on the server's hosts that puts its downloads into that directory.
    static func make(
        for player: ClientLanePlayer, server: ScriptedServer, directory: TemporaryDirectory,
        recorder: TransferRecorder?
    ) throws -> URLSession {
        let scenarioCase = player.scenarioCase, faults = scenarioCase.diskFaults
        let resolver = try ScriptedResolver(scenarioCase.names, server.addresses)
        var world = SessionWorld.sockets(resolver: resolver)
        if !faults.isEmpty {
            world.makeEngine = { Shard(settings: $0, sink: $1, resolver: resolver, diskFaults: faults) }
        }
        world.downloadDirectory = directory.path
        world.onMetrics = recorder?.listener
        return URLSession(
            configuration: player.configuration, delegate: player.sessionDelegate(), delegateQueue: nil, world: world)
    }

    static func setForm(_ parts: [FormPart], files: [URL?], in request: inout URLRequest) throws {
        // The same in every run, so that journals can be compared.
        var form = MultipartFormData(boundary: "form-of-a-scenario")
        for (part, file) in zip(parts, files) {
            if let file {
                try form.append(contentsOf: file, name: part.name, filename: part.filename, contentType: part.type)
            } else {
                let data = LaneRequest.data(part.content)
                form.append(data, name: part.name, filename: part.filename, contentType: part.type)
            }
        }
        request.setBody(form)
    }

    /// Each slice is sent by `request`, with a Content-Range.
    static func makeUpload(
        of file: URL, _ sliced: SlicedBody, _ request: URLRequest, in session: URLSession
    ) throws -> LaneUpload {
        var options = SlicedUpload.Options()
        options.maximumConcurrentSlices = sliced.parallel
        options.maximumAttempts = sliced.attempts
        if let length = sliced.length {
            options.initialSliceLength = length
            options.minimumSliceLength = length
            options.maximumSliceLength = length
        }
        let upload = try SlicedUpload(session: session, fileURL: file, options: options) { slice in
            var request = request
            request.setValue(slice.contentRange, forHTTPHeaderField: "Content-Range")
            return request
        }
        return LaneUpload(
            start: { upload.resume(completionHandler: $0) }, run: { try await upload.run() },
            cancel: { upload.cancel() })
    }

    /// How a response is answered whose body goes into a file.
    static let becomeDownload = URLSession.ResponseDisposition.becomeDownload

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
