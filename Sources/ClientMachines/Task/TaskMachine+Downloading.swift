import HTTPBasics
import MachineContract

/// Stages `openingFile` and `closingFile`: the file of a download is opened at the response and closed at the end; in
/// between the body fills it.
extension TaskMachine {
    /// Decides what this response means for the file (BEHAVIOUR 1.F4) and opens it.
    func openFile(for response: Response, _ turn: inout Turn) {
        let verdict = resuming.map { ResumeDecision.judge(answer: response.head, token: $0) }
        // An answer that is put aside for a better one is never the task's response.
        if verdict != .restartWithoutRange { turn.outputs.append(.tell(.response(response))) }
        let length = response.expectedLength
        guard let token = resuming, let verdict else {
            // The whole was asked for: a part would pass for it (BEHAVIOUR 1.F4-unasked).
            if case .download(.some) = plan.kind, response.head.status == 206 {
                return interrupt(
                    .failed(.cannotParseResponse, .peer, "A part came, and the whole was asked for."), &turn)
            }
            return openNewFile(length: length, &turn)
        }
        switch verdict {
        case .append(let total):
            open(Download(path: token.path, offset: token.offset, total: total), &turn)
        case .restart:
            superseded = token.path
            openNewFile(length: length, &turn)
        case .complete:
            (attempt.discardsBody, attempt.decoder) = (true, nil)
            open(Download(path: token.path, offset: token.offset, total: DeclaredLength(token.offset)), &turn)
        case .restartWithoutRange:
            superseded = token.path
            drain(then: .withoutRange, &turn)
        case .deliverError:
            openNewFile(length: length, &turn)
        case .fail(let kind):
            interrupt(.failed(kind, .peer, "The partial content does not fit."), &turn)
        }
    }

    /// The user wants the body in a file after all, and has been told of the response (BEHAVIOUR 1.B14).
    func becomeDownload(_ turn: inout Turn) {
        dropCollected(&turn)
        turn.outputs.append(.tell(.becameDownload))
        let length = attempt.supplied?.expectedLength ?? (attempt.decoder == nil ? attempt.bodyLength : nil)
        openNewFile(length: length, &turn)
    }

    private func openNewFile(length: DeclaredLength?, _ turn: inout Turn) {
        let path = PartialFile.path(in: settings.downloadDirectory, entropy: turn.moment.entropy)
        open(Download(path: path, offset: 0, total: length), &turn)
    }

    private func open(_ download: Download, _ turn: inout Turn) {
        self.download = download
        stage = .openingFile
        // A slow disk is no silent server.
        timeouts.stopWaiting()
        turn.outputs.append(.file(.open(path: download.path, offset: download.offset)))
    }

    func fileOpened(_ turn: inout Turn) {
        // Interrupted meanwhile: what follows for the file was said then.
        guard stage == .openingFile, let download else { return }
        if case .download(.some) = plan.kind {
            turn.outputs.append(.tell(.resumed(offset: download.offset, expected: download.total)))
        }
        receiveBody(&turn)
    }

    func fileWrote(_ bytes: Int, _ turn: inout Turn) {
        guard stage != .completed, var grown = download else { return }
        grown.written += Int64(bytes)
        grown.waiting = max(0, grown.waiting - settings.window.charge(for: bytes))
        download = grown
        turn.outputs.append(.tell(.wrote(bytes: Int64(bytes), total: grown.written, expected: grown.total)))
        pump(&turn)
    }

    /// A file that a former task began gets another name: a task that goes on from the former one's resume data again
    /// would cut it while the caller reads it (BEHAVIOUR 1.F3-gone).
    func closeWhole(_ download: Download, _ turn: inout Turn) {
        stage = .closingFile(nil)
        guard download.offset > 0 else { return turn.outputs.append(.file(.close(renamedTo: nil))) }
        let name = PartialFile.path(beside: download.path, entropy: turn.moment.entropy)
        self.download?.path = name
        turn.outputs.append(.file(.close(renamedTo: name)))
    }

    func fileClosed(_ turn: inout Turn) {
        guard case .closingFile(let failure) = stage, let download else { return }
        if failure == nil {
            turn.outputs.append(.tell(.file(path: download.path)))
        } else if failure?.resume == nil {
            turn.outputs.append(.file(.remove(path: download.path)))
        }
        finish(failure, &turn)
    }

    func fileFailed(_ kind: Failure.Kind, _ detail: String, _ turn: inout Turn) {
        // What the file took before a write that fails is still good; after any other failure that is not known.
        let keepsBeginning = kind == .cannotWriteToFile && stage != .openingFile
        let written = download?.written ?? 0
        if keepsBeginning { download?.handed = written } else { download?.canResume = false }
        if case .closingFile(let failure?) = stage {
            guard keepsBeginning, let kept = failure.cut(to: written) else {
                turn.outputs.append(.file(.discard))
                return finish(failure.withoutResume, &turn)
            }
            stage = .closingFile(kept)
            return
        }
        // A partial file that is gone or useless has a code of its own (BEHAVIOUR 1.F3).
        let isReopening = stage == .openingFile && download?.offset != 0
        interrupt(.failed(isReopening ? .cannotWriteToFile : kind, .environment, detail), &turn)
    }

    /// What a later task needs to go on from here, nil when it cannot (BEHAVIOUR 1.F1).
    func resumeToken(at moment: Moment) -> ResumeToken? {
        guard let download, download.canResume, let head = attempt.head else { return nil }
        return ResumeDecision.token(
            request: request, head: head, continuing: resuming, offset: download.handed, path: download.path,
            now: moment.date, home: home)
    }
}
