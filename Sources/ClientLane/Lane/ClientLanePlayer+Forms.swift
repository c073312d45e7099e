import Foundation
import Judge
import ScenarioFormat
import ServerScript

/// A sliced upload of whatever library, as the lane plays it.
struct LaneUpload: Sendable {
    var start: @Sendable (@escaping @Sendable ((any Error)?) -> Void) -> Void
    var run: @Sendable () async throws -> Void
    var cancel: @Sendable () -> Void
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
            let file = try makeFile(sliced.content, as: label, of: label)
            let upload = try LaneSession.makeUpload(of: file, sliced, request, in: stage.session)
            noteResumed(label)
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
                tasks[label]?.cancelUpload = upload.cancel
                upload.start { [weak self] in self?.completed(label, $0) }
            }
            return true
        } catch {
            fail("the sliced upload '\(label)' cannot be made: \(error)", at: mark)
            return false
        }
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
        let file = URL(fileURLWithPath: "\(folder.path)/\(name)")
        if let label, sentFiles[label] == nil { sentFiles[label] = file }
        return file
    }
}
