import ClientMachines
import HTTPBasics

extension JournalLine {
    func input(_ input: ClientInput) {
        text("< ")
        switch input {
        case .start(let task, let plan, let suspended):
            word("start", task).text(" ").text(plan.request.method).text(" ").quoted(plan.request.url.description)
            if case .download(let token) = plan.kind { text(token == nil ? " download" : " download resuming") }
            if suspended { text(" suspended") }
        case .suspend(let task): word("suspend", task)
        case .resume(let task): word("resume", task)
        case .cancel(let task, let keeping): word("cancel", task).text(keeping ? " keeping resume data" : "")
        case .answer(let question, let answer):
            text("answer q").number(question.value).text(" ")
            self.answer(answer)
        case .delivered(let task, let bytes): word("delivered", task).text(" ").number(bytes)
        case .goOn(let task): word("goOn", task)
        case .bodyRead(let task, let stream, let piece):
            word("bodyRead", task).text(" s").number(stream.value).text(" ")
            self.piece(piece)
        case .loaded(let task, let load, let event):
            word("loaded", task).text(" l").number(load.value).text(" ")
            loadEvent(event)
        case .bodyFileOpened(let task, let version): word("bodyFileOpened", task).text(" ").number(version.size)
        case .bodyFileFailed(let task, let kind, _): word("bodyFileFailed", task).text(" ").text(kind.rawValue)
        case .negotiated(let task, let number, let answer):
            word("negotiated", task).text(" ").number(number).text(" ").negotiateAnswer(answer)
        case .path(let path): text("path ").text(path.interface ?? "none")
        case .renewConnections: text("renewConnections")
        case .forgetCredentials: text("forgetCredentials")
        case .cookieStorageSays(let news): text(news.hasSome ? "cookies exist" : "no cookies exist")
        case .cacheSays(let news): text(news.hasSome ? "cache has some" : "cache has none")
        case .forgetCredential(let forgotten): text("forgetCredential ").text(forgotten.origin.description)
        case .invalidate(let cancelling): text(cancelling ? "invalidate cancelling" : "invalidate")
        case .fileOpened(let task): word("fileOpened", task)
        case .fileWrote(let task, let bytes): word("fileWrote", task).text(" ").number(bytes)
        case .fileClosed(let task): word("fileClosed", task)
        case .fileFailed(let task, let kind, let detail):
            word("fileFailed", task).text(" ").text(kind.rawValue).text(" ").quoted(detail)
        case .timePassed: text("timePassed")
        case .resolved, .resolveFailed, .connected, .connectFailed, .received, .looked, .inputClosed, .closed, .wrote,
            .trustAsked, .identityAsked, .secured, .secureFailed:
            networkInput(input)
        }
    }

    private func networkInput(_ input: ClientInput) {
        switch input {
        case .resolved(let id, let family, let addresses):
            word("resolved", id).text(" ").text(family.rawValue)
            for address in addresses { text(" ").text(address.text).text(":").number(address.port) }
        case .resolveFailed(let id, let family, let detail):
            word("resolveFailed", id).text(" ").text(family.rawValue).text(" ").quoted(detail)
        case .connected(let id, _, _): word("connected", id)
        case .connectFailed(let id, let failure): word("connectFailed", id).text(" ").text(Self.name(failure))
        case .received(let id, let bytes): word("received", id).text(" ").excerpt(bytes)
        case .looked(let id): word("looked", id)
        case .inputClosed(let id): word("inputClosed", id)
        case .closed(let id): word("closed", id)
        case .wrote(let id, let bytes): word("wrote", id).text(" ").number(bytes)
        case .trustAsked(let id, let peer):
            word("trustAsked", id).text(" ").number(peer.chain.count)
            if peer.stapledResponse != nil { text(" stapled") }
        case .identityAsked(let id, let issuers): word("identityAsked", id).text(" ").number(issuers.count)
        case .secured(let id, let facts):
            word("secured", id).text(" ").text(facts.version.description).text(facts.isResumed ? " resumed" : "")
        case .secureFailed(let id, let failure):
            word("secureFailed", id).text(" ").text(failure.kind.rawValue).text(" ").quoted(failure.failure.detail)
        case .path, .start, .suspend, .resume, .cancel, .answer, .delivered, .goOn, .bodyRead, .loaded,
            .bodyFileOpened, .bodyFileFailed, .negotiated, .renewConnections, .forgetCredentials, .forgetCredential,
            .cookieStorageSays, .cacheSays, .invalidate,
            .fileOpened, .fileWrote, .fileClosed, .fileFailed, .timePassed:
            return
        }
    }

    func output(_ output: ClientOutput) {
        text("> ")
        switch output {
        case .watchPath: text("watchPath")
        case .resolve(let id, let host, let port): word("resolve", id).text(" ").text(host).text(":").number(port)
        case .stopResolving(let id): word("stopResolving", id)
        case .connect(let id, let dial, let address, _):
            word("connect", id).text(" d").number(dial.value).text(" ").text(address.text).text(":").number(
                address.port)
        case .secure(let id, let peer, _): word("secure", id).text(" ").text(peer.origin.host)
        case .forgetTickets(let peer): text("forgetTickets ").text(peer?.origin.host ?? "all")
        case .decideTrust(let id, let decision):
            word("decideTrust", id).text(decision == .accept ? " accept" : " evaluate")
        case .present(let id, let identity): word("present", id).text(identity == nil ? " none" : " an identity")
        case .write(let id, let bytes), .writeHead(let id, let bytes):
            word("write", id).text(" ").excerpt(bytes, ofClientOn: id.value)
        case .writeFile(let id, let task, let offset, let count):
            word("writeFile", id).text(" t").number(task.value).text(" ").number(count).text(" at ").number(offset)
        case .openBodyFile(let task, _): word("openBodyFile", task)
        case .close(let id): word("close", id)
        case .look(let id): word("look", id)
        case .setReading(let id, let isReading): word(isReading ? "startReading" : "stopReading", id)
        case .tell(let task, let call):
            word("tell", task).text(" ")
            self.call(call)
        case .ask(let task, let question, let content):
            word("ask", task).text(" q").number(question.value).text(" ")
            self.question(content)
        // Never a token.
        case .negotiate(let task, let call): word("negotiate", task).text(" ").number(call.number)
        case .readBody(let task, let stream): word("readBody", task).text(" s").number(stream.value)
        case .yield(let task): word("yield", task)
        // Never a value.
        case .storeCookies(let task, let lines, _): word("storeCookies", task).text(" ").number(lines.count)
        case .cache(let task, let action):
            word("cache", task).text(" ")
            cacheAction(action)
        case .load(let task, let load, let action):
            word("load", task).text(" l").number(load.value).text(" ")
            loadAction(action)
        case .invalidated: text("invalidated")
        case .file(let task, let action):
            word("file", task).text(" ")
            self.action(action)
        case .bug(let sentence): text("bug ").quoted(sentence)
        }
    }

    private func negotiateAnswer(_ answer: NegotiateAnswer) {
        switch answer {
        case .token(let token): text("token ").number(token.count)
        case .complete: text("complete")
        case .refused: text("refused")
        case .absent: text("absent")
        }
    }

    private func call(_ call: UserCall) {
        switch call {
        case .requestChanged(let request): text("requestChanged ").request(request)
        case .letIn: text("letIn")
        case .waitingForConnectivity: text("waitingForConnectivity")
        case .informational(let response): text("informational ").number(response.head.status)
        case .sentBody(let bytes, let total, let expected): text("sentBody ").counts(bytes, total, expected)
        case .response(let response): text("response ").response(response)
        case .data(let bytes): text("data ").excerpt(bytes)
        case .becameDownload: text("becameDownload")
        case .wrote(let bytes, let total, let expected): text("wrote ").counts(bytes, total, expected)
        case .resumed(let offset, let expected): text("resumed ").number(offset).text(" of ").length(expected)
        case .file: text("file")
        case .metrics(let metrics): text("metrics ").number(metrics.transactions.count)
        case .complete(nil): text("complete")
        case .complete(let failure?):
            text("complete ").text(failure.kind.rawValue).text(failure.resume == nil ? " " : " with resume data ")
            quoted(failure.detail)
        }
    }

    private func question(_ question: UserQuestion) {
        switch question {
        case .redirect(let response, let next): text("redirect ").number(response.head.status).text(" ").request(next)
        case .challenge(let challenge): text("challenge ").quoted(challenge.realm)
        case .response(let response, _): text("response ").response(response)
        case .bodyStream: text("bodyStream")
        case .delayedRequest(let request): text("delayedRequest ").request(request)
        case .loadChallenge(let id): text("loadChallenge ").number(id.value)
        case .bodyStreamFrom(let offset): text("bodyStream from ").number(offset)
        case .connection(let challenge):
            if case .serverTrust = challenge.kind { text("serverTrust") } else { text("clientCertificate") }
        case .cookies(let url): text("cookies ").quoted(url.description)
        case .kept(let key): text("kept ").quoted(key.text)
        case .willCache: text("willCache")
        }
    }

    private func piece(_ piece: BodyPiece) {
        switch piece {
        case .bytes(let bytes): excerpt(bytes)
        case .end: text("end")
        case .failed(let detail): text("failed ").quoted(detail)
        }
    }

    private func loadEvent(_ event: LoadEvent) {
        switch event {
        case .declined: text("declined")
        case .response(let response): text("response ").response(response)
        case .keepable(let response, _): text("keepable response ").response(response)
        case .data(let bytes): text("data ").excerpt(bytes)
        case .whole(let response, let body):
            text("whole ").response(response)
            text(" ").excerpt(body)
        case .end: text("end")
        case .redirected(let response, let next):
            text("redirected ").number(response.head.status).text(" ").request(next)
        case .challenged(let id): text("challenged ").number(id.value)
        case .failed(let kind, let detail): text("failed ").text(kind.rawValue).text(" ").quoted(detail)
        }
    }

    private func loadAction(_ action: LoadAction) {
        switch action {
        case .begin(let request, _): text("begin ").request(request)
        case .beginKept(let index, _): text("begin kept ").number(index)
        case .goOn: text("goOn")
        case .end: text("end")
        }
    }

    private func cacheAction(_ action: CacheAction) {
        switch action {
        case .collect(let kept, _): text("collect ").number(kept.response.status)
        case .keep: text("keep")
        case .drop: text("drop")
        case .freshen(let index, _, _): text("freshen ").number(index)
        case .outdate(let newer): text("outdate ").text(newer.key.text)
        case .forget(let keys): text("forget ").number(keys.count)
        }
    }

    /// Never shows a credential.
    private func answer(_ answer: UserAnswer) {
        switch answer {
        case .redirect(let request?): text("redirect ").request(request)
        case .redirect(nil): text("redirect refused")
        case .challenge(let answer): text("challenge ").text(Self.name(answer))
        case .loadChallenge(let answer): text("loadChallenge ").text(Self.name(answer))
        case .delayedRequest(.continueLoading): text("delayedRequest continue")
        case .delayedRequest(.use(let request)): text("delayedRequest use ").request(request)
        case .delayedRequest(.cancel): text("delayedRequest cancel")
        case .body(.stream(let stream)?): text("body s").number(stream.value)
        case .body(.some): text("body composed")
        case .body(nil): text("body none")
        case .response(let allow): text(allow ? "response allow" : "response cancel")
        case .becomeDownload: text("response becomeDownload")
        case .connection(let answer): text("connection ").text(Self.name(answer))
        case .cookies(let field): text(field == nil ? "cookies none" : "cookies some")
        case .kept(let responses): text("kept ").number(responses.count)
        case .willCache: text("willCache")
        }
    }

    /// Without the path, which differs from run to run.
    private func action(_ action: FileAction) {
        switch action {
        case .open(_, let offset): text("open at ").number(offset)
        case .write(let bytes): text("write ").excerpt(bytes)
        case .close(let name): text(name == nil ? "close" : "close and rename")
        case .discard: text("discard")
        case .remove: text("remove")
        }
    }

    private func request(_ request: ClientRequest) { text(request.method).text(" ").quoted(request.url.description) }

    private func response(_ response: Response) {
        number(response.head.status).text(" expecting ").length(response.expectedLength)
    }

    private func counts(_ bytes: Int64, _ total: Int64, _ expected: DeclaredLength?) {
        number(bytes).text(" total ").number(total).text(" of ").length(expected)
    }

    @discardableResult
    private func length(_ length: DeclaredLength?) -> JournalLine { text(length?.description ?? "-1") }

    @discardableResult
    private func word(_ word: StaticString, _ task: TaskID) -> JournalLine { text(word).text(" t").number(task.value) }

    @discardableResult
    private func word(_ word: StaticString, _ id: ConnectionID) -> JournalLine {
        text(word).text(" c").number(id.value)
    }

    @discardableResult
    private func word(_ word: StaticString, _ id: DialID) -> JournalLine { text(word).text(" d").number(id.value) }

    private static func name(_ answer: ChallengeAnswer) -> String {
        switch answer {
        case .use(let credential, _): return credential == nil ? "use nothing" : "use"
        case .performDefaultHandling: return "default"
        case .cancel: return "cancel"
        case .rejectProtectionSpace: return "reject"
        }
    }

    private static func name(_ answer: ConnectionAnswer) -> String {
        switch answer {
        case .trust: return "trust"
        case .present: return "present"
        case .performDefaultHandling: return "default"
        case .cancel: return "cancel"
        case .unasked: return "unasked"
        }
    }

    private static func name(_ failure: ConnectFailure) -> String {
        switch failure {
        case .refused: return "refused"
        case .timedOut: return "timedOut"
        case .hostUnreachable: return "hostUnreachable"
        case .networkUnreachable: return "networkUnreachable"
        case .reset: return "reset"
        case .other(let code): return "other \(code)"
        }
    }
}
