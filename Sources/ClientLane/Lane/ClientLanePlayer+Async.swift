import Foundation
import HTTPBasics
import Judge
import ScenarioFormat

/// A reader of `bytes(for:)` that stands still until a signal comes.
struct ReaderPause {
    var label: String
    var until: String
    var continuation: CheckedContinuation<Void, Never>
}

/// The async style: each task is a Swift task that awaits a method of the session.
extension ClientLanePlayer {
    func startAsync(_ step: TaskStep, _ source: Source, _ stage: Stage) {
        noteResumed(step.label)
        labels.start(step.label)
        let delegate = step.ownDelegate.map(ownDelegate)
        watched[step.label]?.delegate = delegate
        let session = stage.session
        // The executor is the lane: what the Swift task records, it records where everything else is recorded.
        let task = Task(executorPreference: stage.executor) { [weak self] in
            await TaskLabels.$current.withValue(step.label) {
                await self?.runAsync(step, source, session, delegate)
            }
            return
        }
        tasks[step.label]?.asyncTask = task
    }

    private func runAsync(
        _ step: TaskStep, _ source: Source, _ session: URLSession, _ delegate: (any URLSessionTaskDelegate)?
    ) async {
        do {
            switch (step.kind, source) {
            case (.bytes, .request(let request)):
                try await readBytes(of: request, step, session, delegate)
            case (.data, .request(let request)), (.upload, .request(let request)), (_, .upload(let request, .stream)):
                let (data, response) = try await session.data(for: request, delegate: delegate)
                returned(step.label, response, body: SeenContent(data), file: nil, error: nil)
            case (_, .upload(let request, .data(let body))):
                let (data, response) = try await session.upload(for: request, from: body, delegate: delegate)
                returned(step.label, response, body: SeenContent(data), file: nil, error: nil)
            case (_, .upload(let request, .file(let file))):
                let (data, response) = try await session.upload(for: request, fromFile: file, delegate: delegate)
                returned(step.label, response, body: SeenContent(data), file: nil, error: nil)
            case (.download, .request(let request)):
                let (file, response) = try await session.download(for: request, delegate: delegate)
                downloaded(step.label, file, response)
            case (.upload, .resumeData(let data)):
                let (data, response) = try await session.upload(resumeFrom: data, delegate: delegate)
                returned(step.label, response, body: SeenContent(data), file: nil, error: nil)
            case (_, .resumeData(let data)):
                let (file, response) = try await session.download(resumeFrom: data, delegate: delegate)
                downloaded(step.label, file, response)
            }
        } catch {
            returned(step.label, nil, body: nil, file: nil, error: error)
        }
    }

    /// The file is the caller's from here on, who has to remove it.
    private func downloaded(_ label: String, _ file: URL, _ response: URLResponse) {
        let content = SeenContent(file: file)
        try? FileManager.default.removeItem(at: file)
        returned(label, response, body: nil, file: content, error: nil)
    }

    private func readBytes(
        of request: URLRequest, _ step: TaskStep, _ session: URLSession, _ delegate: (any URLSessionTaskDelegate)?
    ) async throws {
        let (bytes, response) = try await session.bytes(for: request, delegate: delegate)
        if let task = LaneSession.task(of: bytes) { made(task, step.label) }
        // Where a delegate tells of the bytes, those that were read are a result.
        if delegate == nil { told(.response, step.label) { $0.describe(response, for: self) } }
        if step.readsLines { return try await readLines(LaneSession.lines(of: bytes), step.label) }
        var body = SeenContent()
        var count = 0
        var piece: [UInt8] = []
        func take() {
            if delegate == nil { tookBytes(piece, step.label) } else { body.append(piece) }
            piece.removeAll(keepingCapacity: true)
        }
        defer { take() }
        for try await byte in bytes {
            count += 1
            piece.append(byte)
            if step.stopReading == count {
                journal.update(step.label) { $0.isLetGo = true }
                break
            }
            let isPause = step.pauseReading?.at == count
            guard isPause || count <= Self.singleBytes || piece.count == Self.pieceBytes else { continue }
            take()
            if isPause, let pause = step.pauseReading { await wait(for: pause, step.label) }
        }
        take()
        if delegate == nil { return completed(step.label, nil, response) }
        returned(step.label, response, body: body, file: nil, error: nil)
    }

    /// What ends a line is not told: each counts as its text and a line feed.
    private func readLines(_ lines: some AsyncSequence<String, any Error>, _ label: String) async throws {
        for try await line in lines { tookBytes(Array(line.utf8) + [0x0A], label) }
        // Lines do not say how many bytes they were.
        journal.update(label) { $0.isLetGo = true }
        completed(label, nil)
    }

    /// The first bytes are put down one by one, for steps that wait for a few; later ones together, because to look
    /// at the whole lane for each would cost more than all the rest.
    private static let singleBytes = 1024
    private static let pieceBytes = 1024

    private func wait(for pause: ReadingPause, _ label: String) async {
        guard !signals.contains(pause.until), stage != nil else { return }
        await withCheckedContinuation { continuation in
            pauses.append(ReaderPause(label: label, until: pause.until, continuation: continuation))
        }
    }

    func releasePauses(where isMeant: (ReaderPause) -> Bool) {
        let released = pauses.filter(isMeant)
        pauses.removeAll(where: isMeant)
        for pause in released { pause.continuation.resume() }
    }
}
