import HTTPBasics
import MachineContract

/// Stages `openingFile` and `closingFile`: the file of a download is opened at the response and closed at the end; in
/// between the body fills it.
extension TaskMachine {
    /// Decides what this response means for the file (BEHAVIOUR 1.F4) and opens it.
    func openFile(for response: Response, at moment: Moment, into outputs: inout [TaskOutput]) {
        let verdict = resuming.map { ResumeDecision.judge(answer: response.head, token: $0) }
        // An answer that is put aside for a better one is never the task's response.
        if verdict != .restartWithoutRange { outputs.append(.tell(.response(response))) }
        let length = response.expectedLength
        guard let token = resuming, let verdict else {
            // The whole was asked for: a part would pass for it (BEHAVIOUR 1.F4-unasked).
            if case .download(.some) = plan.kind, response.head.status == 206 {
                return interrupt(
                    .failed(.cannotParseResponse, .peer, "A part came, and the whole was asked for."), at: moment,
                    into: &outputs)
            }
            return openNewFile(length: length, at: moment, into: &outputs)
        }
        switch verdict {
        case .append(let total):
            open(Download(path: token.path, offset: token.offset, total: total), into: &outputs)
        case .restart:
            superseded = token.path
            openNewFile(length: length, at: moment, into: &outputs)
        case .complete:
            (attempt.discardsBody, attempt.decoder) = (true, nil)
            open(Download(path: token.path, offset: token.offset, total: DeclaredLength(token.offset)), into: &outputs)
        case .restartWithoutRange:
            superseded = token.path
            drain(then: .withoutRange, at: moment, into: &outputs)
        case .deliverError:
            openNewFile(length: length, at: moment, into: &outputs)
        case .fail(let kind):
            interrupt(.failed(kind, .peer, "The partial content does not fit."), at: moment, into: &outputs)
        }
    }

    /// The user wants the body in a file after all, and has been told of the response (BEHAVIOUR 1.B14).
    func becomeDownload(at moment: Moment, into outputs: inout [TaskOutput]) {
        outputs.append(.tell(.becameDownload))
        let length = attempt.supplied?.expectedLength ?? (attempt.decoder == nil ? attempt.bodyLength : nil)
        openNewFile(length: length, at: moment, into: &outputs)
    }

    private func openNewFile(length: DeclaredLength?, at moment: Moment, into outputs: inout [TaskOutput]) {
        let path = PartialFile.path(in: settings.downloadDirectory, entropy: moment.entropy)
        open(Download(path: path, offset: 0, total: length), into: &outputs)
    }

    private func open(_ download: Download, into outputs: inout [TaskOutput]) {
        self.download = download
        stage = .openingFile
        // A slow disk is no silent server.
        timeouts.stopWaiting()
        outputs.append(.file(.open(path: download.path, offset: download.offset)))
    }

    func fileOpened(at moment: Moment, into outputs: inout [TaskOutput]) {
        // Interrupted meanwhile: what follows for the file was said then.
        guard stage == .openingFile, let download else { return }
        if case .download(.some) = plan.kind {
            outputs.append(.tell(.resumed(offset: download.offset, expected: download.total)))
        }
        receiveBody(at: moment, into: &outputs)
    }

    func fileWrote(_ bytes: Int, at moment: Moment, into outputs: inout [TaskOutput]) {
        guard stage != .completed, var grown = download else { return }
        grown.written += Int64(bytes)
        grown.waiting = max(0, grown.waiting - settings.window.charge(for: bytes))
        download = grown
        outputs.append(.tell(.wrote(bytes: Int64(bytes), total: grown.written, expected: grown.total)))
        pump(at: moment, into: &outputs)
    }

    /// A file that a former task began gets another name: whoever goes on from that task's resume data again would cut
    /// it while the caller reads it (BEHAVIOUR 1.F3-gone).
    func closeWhole(_ download: Download, at moment: Moment, into outputs: inout [TaskOutput]) {
        stage = .closingFile(nil)
        guard download.offset > 0 else { return outputs.append(.file(.close(renamedTo: nil))) }
        let name = PartialFile.path(beside: download.path, entropy: moment.entropy)
        self.download?.path = name
        outputs.append(.file(.close(renamedTo: name)))
    }

    func fileClosed(into outputs: inout [TaskOutput]) {
        guard case .closingFile(let failure) = stage, let download else { return }
        if failure == nil {
            outputs.append(.tell(.file(path: download.path)))
        } else if failure?.resume == nil {
            outputs.append(.file(.remove(path: download.path)))
        }
        finish(failure, into: &outputs)
    }

    func fileFailed(_ kind: Failure.Kind, _ detail: String, at moment: Moment, into outputs: inout [TaskOutput]) {
        // What the file took before a write that fails is still good; behind anything else, nobody knows.
        let keepsBeginning = kind == .cannotWriteToFile && stage != .openingFile
        let written = download?.written ?? 0
        if keepsBeginning { download?.handed = written } else { download?.canResume = false }
        if case .closingFile(let failure?) = stage {
            guard keepsBeginning, let kept = failure.cut(to: written) else {
                outputs.append(.file(.discard))
                return finish(failure.withoutResume, into: &outputs)
            }
            stage = .closingFile(kept)
            return
        }
        // A partial file that is gone or useless has a code of its own (BEHAVIOUR 1.F3).
        let isReopening = stage == .openingFile && download?.offset != 0
        interrupt(.failed(isReopening ? .cannotWriteToFile : kind, .environment, detail), at: moment, into: &outputs)
    }

    /// What a later task needs to go on from here, nil when it cannot (BEHAVIOUR 1.F1).
    func resumeToken(at moment: Moment) -> ResumeToken? {
        guard let download, download.canResume, let head = attempt.head else { return nil }
        return ResumeDecision.token(
            request: request, head: head, continuing: resuming, offset: download.handed, path: download.path,
            now: moment.date, home: home)
    }
}
