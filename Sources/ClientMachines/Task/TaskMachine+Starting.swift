import HTTPBasics
import MachineContract

/// Stages `idle`, `openingBody` and `waitingForConnection`: until a connection is there.
extension TaskMachine {
    func start(suspended: Bool, at moment: Moment, into outputs: inout [TaskOutput]) {
        isSuspended = suspended
        if suspended { timeouts.suspend() } else { log?.resumed() }
        if let delay = plan.delay { return wait(until: moment.instant + delay, at: moment, into: &outputs) }
        if !suspended { begin(at: moment, into: &outputs) }
    }

    /// Finds out who answers the current request: a loader, or a server.
    func begin(at moment: Moment, into outputs: inout [TaskOutput]) {
        log?.begin(request)
        if let refusal = plan.refusal {
            return finish(failure(refusal, .caller, "The request cannot be sent."), into: &outputs)
        }
        resumable?.wentOut(upTo: attempt.body.reach)
        attempt = Attempt()
        if plan.hasProtocols || request.isLocal, !hop.isDeclined { return load(at: moment, into: &outputs) }
        acquire(at: moment, into: &outputs)
    }

    /// Asks for a connection for the current request, or refuses a request that cannot be sent.
    func acquire(at moment: Moment, into outputs: inout [TaskOutput]) {
        if let (kind, detail) = RequestWriter.refusal(for: request, settings.additionalFields) {
            return finish(failure(kind, .caller, detail), into: &outputs)
        }
        guard let origin = request.url.origin else {
            return finish(failure(.badURL, .caller, "The URL names no host."), into: &outputs)
        }
        if case .stream(let stream) = request.body, stream == lastStreamRead || stream == .awaited {
            return askForStream(at: moment, into: &outputs)
        }
        if let file = request.body?.firstFile, file != bodyFile.ready {
            stage = .openingBody
            timeouts.stopWaiting()
            return open(file, into: &outputs)
        }
        stage = .waitingForConnection
        timeouts.startWaiting(at: moment.instant)
        outputs.append(.acquire(origin, need))
    }

    /// What the present request demands of its connection.
    var need: ConnectionNeed { hop.needsFreshConnection ? .fresh : isRepeatable ? .any : .young }

    /// Asks for a file of the body, in place of the one that is open. One answer at a time is awaited: what an attempt
    /// that was given up has asked for comes first.
    func open(_ file: BodyFile, into outputs: inout [TaskOutput]) {
        if case .opening = bodyFile { return }
        bodyFile = .opening(file)
        outputs.append(.openBodyFile(file))
    }

    /// It stays open while no other one is needed, so that it is the same file that is sent again after a redirect or a
    /// challenge.
    func bodyFileOpened(_ version: FileVersion, at moment: Moment, into outputs: inout [TaskOutput]) {
        guard stage != .completed, case .opening(let file) = bodyFile else { return }
        bodyFile = .open(file)
        if case .confirmingBody(let left) = stage { return confirm(left, at: moment, into: &outputs) }
        guard stage == .openingBody else { return writeOn(at: moment, into: &outputs) }
        if case .file(_, let start) = request.body {
            let whole = ComposedBody([.file(file, 0..<version.size)])
            request.body = .composed(whole.dropFirst(start))
            resumable?.opened(whole, of: BodyFile(path: file.path, version: version))
        }
        if isSuspended { stage = .idle } else { begin(at: moment, into: &outputs) }
    }

    /// The body cannot be sent, now or ever. A request that has none, after a redirect, does not need it.
    func bodyFileFailed(
        _ kind: Failure.Kind, _ detail: String, at moment: Moment, into outputs: inout [TaskOutput]
    ) {
        bodyFile = .none
        guard request.body != nil else { return }
        interrupt(.failed(kind, .caller, detail), at: moment, into: &outputs)
    }

    func suspend(into outputs: inout [TaskOutput]) {
        guard !isSuspended, stage != .completed else { return }
        isSuspended = true
        timeouts.suspend()
        if stage == .waitingForConnection {
            stage = .idle
            outputs.append(.withdraw)
        }
    }

    func resume(at moment: Moment, into outputs: inout [TaskOutput]) {
        guard isSuspended, stage != .completed else { return }
        isSuspended = false
        log?.resumed()
        timeouts.resume()
        timeouts.progressed(at: moment.instant)
        if case .delayed(let due) = stage { return wait(until: due, at: moment, into: &outputs) }
        // The resource deadline kept its wall-clock meaning: if it passed meanwhile, fail at once (BEHAVIOUR 1.D3).
        if timeouts.expired(at: moment.instant) == .resource {
            return interrupt(.timedOut(.resource), at: moment, into: &outputs)
        }
        if stage == .idle { return begin(at: moment, into: &outputs) }
        writeOn(at: moment, into: &outputs)
        pump(at: moment, into: &outputs)
    }

    func connected(isReused: Bool, at moment: Moment, into outputs: inout [TaskOutput]) {
        guard stage == .waitingForConnection else {
            return outputs.append(.bug("connection for a task in stage \(stage.name)"))
        }
        attempt.isReused = isReused
        hop.needsFreshConnection = false
        timeouts.progressed(at: moment.instant)
        send(at: moment, into: &outputs)
    }
}
