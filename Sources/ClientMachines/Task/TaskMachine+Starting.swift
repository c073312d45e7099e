import HTTPBasics
import MachineContract

/// Stages `idle`, `openingBody` and `waitingForConnection`: until a connection is there.
extension TaskMachine {
    func start(suspended: Bool, _ turn: inout Turn) {
        isSuspended = suspended
        if suspended { timeouts.suspend() } else { log?.resumed() }
        if let delay = plan.delay { return wait(until: turn.now + delay, &turn) }
        if !suspended { begin(&turn) }
    }

    /// Finds out who answers the current request: a loader, or a server.
    func begin(_ turn: inout Turn) {
        log?.begin(request)
        if let refusal = plan.refusal {
            return finish(failure(refusal, .caller, "The request cannot be sent."), &turn)
        }
        resumable?.wentOut(upTo: attempt.body.reach)
        attempt = Attempt()
        if deliversKept(&turn) { return }
        if plan.hasProtocols || request.isLocal, !hop.isDeclined { return load(&turn) }
        acquire(&turn)
    }

    /// Asks for a connection for the current request, or refuses a request that cannot be sent.
    func acquire(_ turn: inout Turn) {
        if let (kind, detail) = RequestWriter.refusal(for: request, settings.additionalFields) {
            return finish(failure(kind, .caller, detail), &turn)
        }
        if plan.cacheRule == .returnDontLoad, !plan.usesCache { return refuseNetwork(&turn) }
        guard let origin = request.url.origin else {
            return finish(failure(.badURL, .caller, "The URL names no host."), &turn)
        }
        if settings.$proxies.isPresent { hop.proxy = settings.proxies?.proxy(for: origin) }
        // Before anything is looked up (BEHAVIOUR 2.E10-slip).
        if let proxy = hop.proxy, let detail = proxy.refusal {
            return finish(failure(proxy.failure(for: origin), .caller, detail), &turn)
        }
        if case .stream(let stream) = request.body, stream == lastStreamRead || stream == .awaited {
            return askForStream(&turn)
        }
        if let file = request.body?.firstFile, file != bodyFile.ready {
            stage = .openingBody
            timeouts.stopWaiting()
            return open(file, &turn)
        }
        if sendsCookies { return ask(.cookies(origin), .cookies(request.url), &turn) }
        if !asksCache(for: origin, &turn) { join(origin, &turn) }
    }

    func join(_ origin: Origin, _ turn: inout Turn) {
        if isKeptBack(from: origin, &turn) { return }
        stage = .waitingForConnection
        timeouts.startWaiting(at: turn.now)
        connectionUser = chosenUser
        turn.outputs.append(.acquire(origin, need))
    }

    /// A session without any cookies asks for none (BEHAVIOUR 2.C5-empty).
    private var sendsCookies: Bool {
        cookies.mayHaveSome && settings.cookies.sends && request.handlesCookies
    }

    /// The storage has told which cookies go along.
    func answered(_ field: SecretText?, for origin: Origin, _ turn: inout Turn) {
        if isSuspended {
            stage = .idle
            return
        }
        attempt.cookies = field
        if !asksCache(for: origin, &turn) { join(origin, &turn) }
    }

    /// What the present request demands of its connection.
    var need: ConnectionNeed { hop.needsFreshConnection ? .fresh : isRepeatable ? .any : .young }

    /// Asks for a file of the body, in place of the one that is open. One answer at a time is awaited: what an attempt
    /// that was given up has asked for comes first.
    func open(_ file: BodyFile, _ turn: inout Turn) {
        if case .opening = bodyFile { return }
        bodyFile = .opening(file)
        turn.outputs.append(.openBodyFile(file))
    }

    /// It stays open while no other one is needed, so that it is the same file that is sent again after a redirect or a
    /// challenge.
    func bodyFileOpened(_ version: FileVersion, _ turn: inout Turn) {
        guard stage != .completed, case .opening(let file) = bodyFile else { return }
        bodyFile = .open(file)
        if case .confirmingBody(let left) = stage { return confirm(left, &turn) }
        guard stage == .openingBody else { return writeOn(&turn) }
        if case .file(_, let start) = request.body {
            let whole = ComposedBody([.file(file, 0..<version.size)])
            request.body = .composed(whole.dropFirst(start))
            resumable?.opened(whole, of: BodyFile(path: file.path, version: version))
        }
        if isSuspended { stage = .idle } else { begin(&turn) }
    }

    /// The body cannot be sent, now or ever. A request that has none, after a redirect, does not need it.
    func bodyFileFailed(_ kind: Failure.Kind, _ detail: String, _ turn: inout Turn) {
        bodyFile = .none
        guard request.body != nil else { return }
        interrupt(.failed(kind, .caller, detail), &turn)
    }

    func suspend(_ turn: inout Turn) {
        guard !isSuspended, stage != .completed else { return }
        isSuspended = true
        timeouts.suspend()
        if stage == .waitingForPath { stage = .idle }
        if stage == .waitingForConnection {
            stage = .idle
            turn.outputs.append(.withdraw)
        }
    }

    func resume(_ turn: inout Turn) {
        guard isSuspended, stage != .completed else { return }
        isSuspended = false
        // Something may have been kept meanwhile.
        hop.isNotKept = false
        log?.resumed()
        timeouts.resume()
        timeouts.progressed(at: turn.now)
        if case .delayed(let due) = stage { return wait(until: due, &turn) }
        // The resource deadline kept its wall-clock meaning: if it passed meanwhile, fail at once (BEHAVIOUR 1.D3).
        if timeouts.expired(at: turn.now) == .resource {
            return interrupt(.timedOut(.resource), &turn)
        }
        if stage == .idle { return begin(&turn) }
        writeOn(&turn)
        pump(&turn)
    }

    /// The user's time is not the server's (BEHAVIOUR 1.D2-asked).
    func connectionAsks(_ isOpen: Bool, _ turn: inout Turn) {
        guard stage == .waitingForConnection else { return }
        if isOpen { timeouts.stopWaiting() } else { timeouts.startWaiting(at: turn.now) }
    }

    func connected(isReused: Bool, _ isForwarded: Bool, _ signIn: SignIn, _ turn: inout Turn) {
        guard stage == .waitingForConnection else {
            return turn.outputs.append(.bug("connection for a task in stage \(stage.name)"))
        }
        // What it was chosen for was forgotten meanwhile: whoever is signed in there is not this task's user.
        if $connectionUser.isPresent, chosenUser != connectionUser {
            turn.outputs.append(.withdraw)
            return begin(&turn)
        }
        attempt.isReused = isReused
        attempt.forwarder = isForwarded ? hop.proxy : nil
        if $connectionUser.isPresent {
            switch signIn {
            case .not where connectionUser?.scheme == .negotiate:
                attempt.handshake = takeFirstToken(ofProxy: isSignedInByProxy)
            case .not: attempt.handshake = .begins
            case .begun: break
            case .done:
                attempt.handshake = .done
                // Made for a connection that there is not: the next one gets a token of its own.
                _ = takeFirstToken(ofProxy: isSignedInByProxy)
            }
            if attempt.handshake == nil { return negotiateFirstToken(&turn) }
        }
        setOut(&turn)
    }

    /// The connection is there, and what is to be said on it.
    func setOut(_ turn: inout Turn) {
        hop.needsFreshConnection = false
        // Another connection than the one that asks its user something may have come free.
        timeouts.startWaiting(at: turn.now)
        timeouts.progressed(at: turn.now)
        send(&turn)
    }
}
