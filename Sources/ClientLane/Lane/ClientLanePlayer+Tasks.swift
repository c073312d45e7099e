import Foundation
import HTTPBasics
import Judge
import Locks
import ScenarioFormat
import ServerScript

/// How a task of the scenario becomes one of the public API, in each style.
extension ClientLanePlayer {
    /// What a task is made from.
    enum Source: Sendable {
        case request(URLRequest)
        case upload(URLRequest, Upload)
        case resumeData(Data)
    }

    /// What an upload task sends.
    enum Upload: Sendable {
        case data(Data)
        case file(URL)
        case stream
    }

    /// Returns false when the step must wait, or cannot be done.
    func start(_ step: TaskStep, at mark: SourceMark) -> Bool {
        guard let stage else { return false }
        guard let source = source(of: step, at: mark) else { return false }
        let target = step.target.hasPrefix("/") ? step.target : origins.resolved(step.target)
        let isOverheard = style == .async && step.hasOwnDelegate
        journal.add(
            task: EventJournal.TaskRecord(
                label: step.label, kind: step.kind, target: target, isOverheard: isOverheard,
                isBare: scenarioCase.isBare(step.label)))
        tasks[step.label] = LaneTask(step.label)
        if step.sliced == nil { watch(step, source) }
        if let sliced = step.sliced, case .request(let request) = source {
            return startSliced(step, sliced, request, stage, at: mark)
        }
        if style == .async {
            startAsync(step, source, stage)
            return true
        }
        let task = TaskLabels.$current.withValue(step.label) {
            style == .delegate ? makeDelegateTask(step, source, stage) : makeHandlerTask(step, source, stage)
        }
        labels.set(step.label, for: task.taskIdentifier)
        if let form = step.ownDelegate {
            let delegate = ownDelegate(form)
            task.delegate = delegate
            watched[step.label]?.delegate = delegate
        }
        made(task, step.label)
        if let delay = step.earliestBegin { LaneSession.delay(task, until: stage.clock.date + delay / .seconds(1)) }
        tasks[step.label]?.handle = task
        if actsOnProgress(of: step.label) { tasks[step.label]?.progress = task.progress }
        if step.isResumed {
            noteResumed(step.label)
            act("resume()", on: step.label, shows: .running) { $0.resume() }
        }
        return true
    }

    private func source(of step: TaskStep, at mark: SourceMark) -> Source? {
        if let raw = step.rawResumeData { return .resumeData(LaneRequest.data(raw)) }
        if let name = step.resumeData {
            switch tickets[name] {
            case .ready(let data?): return .resumeData(data)
            case .ready(nil): fail("'\(name)' holds no resume data: none was produced", at: mark)
            case .pending: break
            case nil: fail("no resume data was kept as '\(name)'", at: mark)
            }
            return nil
        }
        guard var request = LaneRequest.request(step, origins: origins) else {
            fail("'\(step.target)' is no URL", at: mark)
            return nil
        }
        if let form = step.form, !setForm(form, of: step.label, in: &request, at: mark) { return nil }
        guard step.kind == .upload else { return .request(request) }
        return upload(of: step, at: mark).map { .upload(request, $0) }
    }

    private func upload(of step: TaskStep, at mark: SourceMark) -> Upload? {
        if let body = step.body { return .data(LaneRequest.data(body)) }
        guard let file = step.bodyFile else { return .stream }
        do {
            let url = try placeOfFile(step.label, of: step.label)
            switch file.obstacle {
            case .missing: break
            case .directory: try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            case nil: try LaneRequest.data(file.content).write(to: url)
            }
            return .file(url)
        } catch {
            fail("the file of '\(step.label)' cannot be made: \(error)", at: mark)
            return nil
        }
    }

    /// A hundredth of a second later, if the clock of files has not moved on by itself.
    func rewriteFile(of label: String, at mark: SourceMark) -> Bool {
        let files = FileManager.default
        guard let sent = sentFiles[label], let data = try? Data(contentsOf: sent),
            let written = try? files.attributesOfItem(atPath: sent.path)[.modificationDate] as? Date
        else {
            fail("\(label) has no file", at: mark)
            return false
        }
        try? data.write(to: sent)
        try? files.setAttributes([.modificationDate: written + 0.01], ofItemAtPath: sent.path)
        return true
    }

    /// Partial files lie where the downloads of the session do.
    func lengthenPartialFiles(by count: Int, at mark: SourceMark) -> Bool {
        for name in directory.files {
            guard let file = try? FileHandle(forUpdating: URL(fileURLWithPath: "\(directory.path)/\(name)")) else {
                fail("the partial file '\(name)' cannot be opened", at: mark)
                return false
            }
            _ = try? file.seekToEnd()
            try? file.write(contentsOf: Data(repeating: 0x21, count: count))
            try? file.close()
        }
        if directory.files.isEmpty { fail("there is no partial file", at: mark) }
        return !directory.files.isEmpty
    }

    /// Returns false when there is no such file.
    func shortenFile(of label: String, to length: Int, at mark: SourceMark) -> Bool {
        guard let sent = sentFiles[label], let file = try? FileHandle(forWritingTo: sent) else {
            fail("\(label) has no file", at: mark)
            return false
        }
        try? file.truncate(atOffset: UInt64(length))
        try? file.close()
        return true
    }

    private func makeDelegateTask(_ step: TaskStep, _ source: Source, _ stage: Stage) -> URLSessionTask {
        switch (step.kind, source) {
        case (.upload, .resumeData(let data)): return stage.session.uploadTask(withResumeData: data)
        case (_, .resumeData(let data)): return stage.session.downloadTask(withResumeData: data)
        case (.download, .request(let request)): return stage.session.downloadTask(with: request)
        case (_, .request(let request)): return stage.session.dataTask(with: request)
        case (_, .upload(let request, .data(let data))): return stage.session.uploadTask(with: request, from: data)
        case (_, .upload(let request, .file(let file))): return stage.session.uploadTask(with: request, fromFile: file)
        case (_, .upload(let request, .stream)): return stage.session.uploadTask(withStreamedRequest: request)
        }
    }

    private func makeHandlerTask(_ step: TaskStep, _ source: Source, _ stage: Stage) -> URLSessionTask {
        let label = step.label
        let takeFile: @Sendable (URL?, URLResponse?, (any Error)?) -> Void = { [weak self] file, response, error in
            self?.handed(label, hasValue: file != nil, response, error)
            self?.returned(label, response, body: nil, file: file.flatMap { SeenContent(file: $0) }, error: error)
        }
        let takeBody: @Sendable (Data?, URLResponse?, (any Error)?) -> Void = { [weak self] data, response, error in
            self?.handed(label, hasValue: data != nil, response, error)
            self?.returned(label, response, body: data.map { SeenContent($0) }, file: nil, error: error)
        }
        switch (step.kind, source) {
        case (.upload, .resumeData(let data)):
            return stage.session.uploadTask(withResumeData: data, completionHandler: takeBody)
        case (_, .resumeData(let data)):
            return stage.session.downloadTask(withResumeData: data, completionHandler: takeFile)
        case (.download, .request(let request)):
            return stage.session.downloadTask(with: request, completionHandler: takeFile)
        case (_, .request(let request)): return stage.session.dataTask(with: request, completionHandler: takeBody)
        case (_, .upload(let request, .data(let data))):
            return stage.session.uploadTask(with: request, from: data, completionHandler: takeBody)
        case (_, .upload(let request, .file(let file))):
            return stage.session.uploadTask(with: request, fromFile: file, completionHandler: takeBody)
        // There is no such method with a handler, and no such case in this style.
        case (_, .upload(let request, .stream)): return stage.session.uploadTask(withStreamedRequest: request)
        }
    }
}

/// Which label a task of the public API has. A delegate is told of tasks that no lane has in its hands yet.
final class TaskLabels: Sendable {
    /// The label of the task that is being made.
    @TaskLocal static var current: String?

    private struct State {
        var labels: [Int: String] = [:]
        var started: [String] = []
    }

    /// Another session counts its tasks anew.
    func forget() { state.withLock { $0 = State() } }

    private let state = Lock(State())

    func set(_ label: String, for identifier: Int) { state.withLock { $0.labels[identifier] = label } }

    /// A task that the caller does not get will be made for this label.
    func start(_ label: String) { state.withLock { $0.started.append(label) } }

    func label(of task: URLSessionTask) -> String {
        let identifier = task.taskIdentifier
        if let current = TaskLabels.current { set(current, for: identifier) }
        return label(ofIdentifier: identifier)
    }

    /// Of a task that may no longer be at hand.
    func label(ofIdentifier identifier: Int) -> String {
        state.withLock { state in
            if let label = state.labels[identifier] { return label }
            // A library that does not tell of new tasks still counts them from one in the order in which they begin.
            return state.started.indices.contains(identifier - 1) ? state.started[identifier - 1] : "task \(identifier)"
        }
    }
}
