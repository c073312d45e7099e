import Foundation
import Judge
import ScenarioFormat
import ServerScript

/// A sliced upload of any library, as the lane plays it.
struct LaneUpload: Sendable {
    var start: @Sendable (@escaping @Sendable ((any Error)?) -> Void) -> Void
    var run: @Sendable () async throws -> Void
    var cancel: @Sendable () -> Void
    var suspend: @Sendable () -> Void = {}
    var resume: @Sendable () -> Void = {}
    /// Bytes that are stored, of how many; a client without one counts nothing.
    var progress: Progress?
}

/// Files that the lane makes first, and bodies that come from them.
extension ClientLanePlayer {
    /// Those that `file:` URLs name.
    func makeFiles(_ files: [LocalFile]) {
        do {
            for file in files { _ = try makeFile(file.content, as: file.name) }
        } catch {
            fail("the scenario's files cannot be made: \(error)", at: scenarioCase.mark)
        }
    }

    /// Puts a task's form into its request; false when that cannot be done.
    func setForm(_ parts: [FormPart], of label: String, in request: inout URLRequest, at mark: SourceMark) -> Bool {
        do {
            let files = try parts.enumerated().map { index, part in
                part.isFile ? try makeFile(part.content, as: "\(label)-\(index)", of: label) : nil
            }
            try LaneSession.setForm(parts, files: files, in: &request)
            return true
        } catch {
            fail("the form of '\(label)' cannot be made: \(error)", at: mark)
            return false
        }
    }

    func startSliced(
        _ step: TaskStep, _ sliced: SlicedBody, _ request: URLRequest, _ stage: Stage, at mark: SourceMark
    ) -> Bool {
        let label = step.label
        do {
            let file = try makeSlicedFile(sliced, label)
            let state = sliced.state.map { file.deletingLastPathComponent().appendingPathComponent("\($0).state") }
            let upload = try LaneSession.makeUpload(of: file, sliced, request, state: state, in: stage.session)
            if step.isResumed { noteResumed(label) } else { upload.suspend() }
            if style == .async {
                tasks[label]?.asyncTask = Task(executorPreference: stage.executor) { [weak self] in
                    do {
                        try await upload.run()
                        self?.completed(label, nil)
                    } catch {
                        self?.completed(label, error)
                    }
                }
            } else {
                tasks[label]?.upload = upload
                upload.start { [weak self] error in
                    self?.check(upload, error)
                    self?.completed(label, error)
                }
            }
            return true
        } catch {
            fail("the sliced upload '\(label)' cannot be made: \(error)", at: mark)
            return false
        }
    }

    /// Of those that go on with one state the first makes the file: it has to stay as it is.
    private func makeSlicedFile(_ sliced: SlicedBody, _ label: String) throws -> URL {
        guard let name = sliced.state else { return try makeFile(sliced.content, as: label, of: label) }
        let file = try placeOfFile(name, of: label)
        return FileManager.default.fileExists(atPath: file.path)
            ? file : try makeFile(sliced.content, as: name, of: label)
    }

    private func makeFile(_ content: Content, as name: String, of label: String? = nil) throws -> URL {
        let url = try placeOfFile(name, of: label)
        try LaneRequest.data(content).write(to: url)
        return url
    }

    /// Where a file of that name belongs, and which task sends it; the folder is made for the first of them.
    func placeOfFile(_ name: String, of label: String?) throws -> URL {
        let folder = try self.folder ?? TemporaryDirectory(beside: directory)
        self.folder = folder
        guard let label else { return URL(fileURLWithPath: "\(folder.path)/\(name)") }
        // What is sent has a path that no URL can have as it is.
        let place = "\(folder.path)/büro %41 #1"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        let file = URL(fileURLWithPath: "\(place)/\(name)")
        if sentFiles[label] == nil { sentFiles[label] = file }
        return file
    }
}
