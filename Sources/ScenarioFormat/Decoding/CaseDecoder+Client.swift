import HTTPBasics
import ServerScript

extension CaseDecoder {
    func decodeClientStep(_ node: SourceNode) -> ClientStep? {
        guard let entries = node.entries else {
            let remedy = "such as \(KeyTable.example(of: .clientStep))"
            return session.wrong(node, expected: "a client step (a map)", remedy: remedy)
        }
        let isTask = entries.contains { ["task", "request", "kind"].contains($0.key) }
        guard let map = session.map(node, isTask ? .task : .clientStep) else { return nil }
        guard let action = isTask ? task(map).map({ .task($0) }) : action(map) else { return nil }
        let triggers = map.value("when").map { session.oneOrMore($0).compactMap(trigger) } ?? []
        return ClientStep(action, when: triggers, mark: node.mark)
    }

    /// The label of a task that has been declared above.
    func taskLabel(_ node: SourceNode) -> String? {
        guard let label = session.label(node, what: "a task's name") else { return nil }
        guard tasks.contains(where: { $0.label == label }) else {
            let remedy =
                tasks.isEmpty
                ? "declare it above: {task: \(label), request: GET /}"
                : Suggestion.remedy(for: label, among: tasks.map(\.label))
            log.error("no task '\(label)' above", at: node, remedy: remedy)
            return nil
        }
        return label
    }

    // MARK: - Tasks

    private func task(_ map: MappingReader) -> TaskStep? {
        let label = declare(map)
        let kind = map.word("kind", as: TaskStep.Kind.self) ?? .data
        if !tasks.contains(where: { $0.label == label }) { tasks.append((label, kind)) }
        let source = map.only(of: ["request", "resume-data", "raw-resume-data"])
        let line = map.value("request").flatMap(requestLine)
        var task = TaskStep(label: label, kind: kind, method: line?.method ?? "GET", target: line?.target ?? "/")
        task.host = host(map)
        task.fields = map.value("headers").map(headers) ?? Fields()
        task.body = map.value("body").flatMap(body)
        task.bodyStream = map.value("body-stream").map { body($0) ?? .empty }
        task.producer = producer(map)
        task.form = map.value("form").map(form)
        task.sliced = map.map("sliced", .slicedBody).map(slicedBody)
        task.bodyFile = map.value("body-file").map { BodyFileStep(content: body($0) ?? .empty) }
        task.bodyFile?.obstacle = map.word("file", as: BodyFileStep.Obstacle.self)
        task.isStreamed = map.yesNo("streamed") ?? false
        task.timeout = map.duration("timeout")
        task.cachePolicy = map.word("cache-policy", as: CachePolicyName.self)
        task.edits = edits(map).compactMap { session.map($0, .edit).flatMap(requestEdit) }
        task.earliestBegin = map.duration("earliest-begin")
        task.resumeData = map.value("resume-data").flatMap(ticket)
        task.rawResumeData = map.value("raw-resume-data").map { body($0) ?? .empty }
        task.isResumed = map.yesNo("resume") ?? true
        task.urlCredentials = map.map("url-credentials", .credentials).flatMap(credentials)
        task.mainDocument = map.value("main-document").flatMap(requestLine)?.target
        task.handlesCookies = map.yesNo("handles-cookies") ?? true
        task.denies = denied(map)
        task.ownDelegate = map.value("own-delegate").flatMap(ownDelegate)
        task.pauseReading = map.map("pause-reading", .readingPause).map { pause in
            ReadingPause(at: pause.bytes("at") ?? 0, until: pause.label("until") ?? "")
        }
        task.stopReading = map.bytes("stop-reading")
        task.readsLines = map.yesNo("lines") ?? false
        checkTask(task, source: source, map)
        checkForm(task, map)
        return task
    }

    private func producer(_ map: MappingReader) -> TaskStep.Producer? {
        guard let node = map.value("piped") else { return nil }
        if !map.has("body-stream") { log.error("'piped' goes with 'body-stream'", at: map.keyNode("piped")) }
        switch node.plain {
        case "yes": return .closes
        case "no": return nil
        default: return map.bytes("piped").map { .letsGo(after: $0) }
        }
    }

    private func ownDelegate(_ node: SourceNode) -> DelegateForm? {
        switch node.plain {
        case "yes": .full
        case "no": nil
        default:
            session.word(node, among: ["yes", "no", "bare", "async", "forwarding", "both-levels"])
                .flatMap(DelegateForm.init)
        }
    }

    private func declare(_ map: MappingReader) -> String {
        guard let node = map.value("task"), let label = session.label(node, what: "a task's name") else { return "" }
        if tasks.contains(where: { $0.label == label }) { log.error("a second task '\(label)'", at: node) }
        if KeyTable.key(label, of: .expectation) != nil {
            log.error("'\(label)' is a key of 'expect' and cannot be a task's name", at: node)
        }
        return label
    }

    private func ticket(_ node: SourceNode) -> String? {
        guard let name = session.label(node, what: "the name of kept resume data") else { return nil }
        if !tickets.contains(name) {
            let remedy = "keep it above: {keep: {resume-data-of: a-task, as: \(name)}}"
            log.error("no resume data '\(name)' was kept above", at: node, remedy: remedy)
        }
        return name
    }

    private func checkTask(_ task: TaskStep, source: String?, _ map: MappingReader) {
        if task.method == "any" {
            log.error("a task needs a method, not 'any'", at: map.value("request") ?? map.node)
        }
        if source == nil { map.missing("a task needs 'request' (or 'resume-data')") }
        if source == "resume-data" || source == "raw-resume-data", task.kind != .download, task.kind != .upload {
            log.error("resume data belongs to 'kind: download' and 'kind: upload'", at: map.keyNode(source ?? ""))
        }
        if task.kind != .upload || source == "request" { checkBody(of: task, map) }
        for key in ["pause-reading", "stop-reading", "lines"] where map.has(key) && task.kind != .bytes {
            log.error("'\(key)' goes with 'kind: bytes'", at: map.keyNode(key))
        }
    }

    private func checkBody(of task: TaskStep, _ map: MappingReader) {
        if task.body != nil, task.bodyStream != nil {
            log.error("'body' and 'body-stream' exclude each other", at: map.keyNode("body-stream"))
        }
        if map.has("file"), task.bodyFile == nil {
            log.error("'file' goes with 'body-file'", at: map.keyNode("file"))
        }
        guard task.kind == .upload else {
            for key in ["body-file", "streamed"] where map.has(key) {
                log.error("'\(key)' goes with 'kind: upload'", at: map.keyNode(key))
            }
            return
        }
        let given = ["body", "body-file", "streamed"].filter(map.has)
        if map.has("body-stream") {
            let remedy = "write streamed: yes, and {answer: {needStream: ...}} above"
            log.error("an upload's stream comes from its delegate", at: map.keyNode("body-stream"), remedy: remedy)
        } else if given.isEmpty {
            map.missing("an upload needs 'body', 'body-file' or 'streamed: yes'")
        } else if given.count > 1 {
            log.error("'\(given[0])' and '\(given[1])' exclude each other", at: map.keyNode(given[1]))
        }
    }

    // MARK: - Other steps

    private func action(_ map: MappingReader) -> ClientStep.Action? {
        let keys = [
            "await", "suspend", "resume", "cancel", "cancel-keeping-resume-data", "keep", "invalidate", "session",
            "advance", "set-clock", "network", "signal", "shorten-file", "rewrite-file", "progress",
            "lengthen-partial-files", "answer",
        ]
        guard let key = map.only(of: keys) else {
            map.missing("a client step needs one of task, \(keys.joined(separator: ", "))")
            return nil
        }
        let name = map.label("as")
        if key != "cancel-keeping-resume-data", map.has("as") {
            log.error("'as' goes with 'cancel-keeping-resume-data'", at: map.keyNode("as"))
        }
        let length = map.bytes("to")
        if (key == "shorten-file") != map.has("to") {
            log.error("'shorten-file' and 'to' go together", at: map.keyNode(map.has("to") ? "to" : key))
        }
        if (key == "progress") != map.has("do") {
            log.error("'progress' and 'do' go together", at: map.keyNode(map.has("do") ? "do" : key))
        }
        let task = { map.value(key).flatMap(self.taskLabel) }
        switch key {
        case "await": return task().map { .await(task: $0) }
        case "suspend": return task().map { .suspend(task: $0) }
        case "resume": return task().map { .resume(task: $0) }
        case "cancel": return task().map { .cancel(task: $0) }
        case "cancel-keeping-resume-data":
            if let name { tickets.append(name) }
            return task().map { .cancelKeepingResumeData(task: $0, ticket: name) }
        case "keep": return map.map(key, .keep).flatMap(keep)
        case "invalidate": return map.word(key).map { .invalidate(cancelling: $0 == "cancel") }
        case "session": return map.word(key).map { $0 == "another" ? .replaceSession : .renew(reset: $0 == "reset") }
        case "advance": return map.duration(key).map { .advance($0) }
        case "set-clock": return map.map(key, .clockChange).flatMap(clockChange).map { .setClock(by: $0) }
        case "network": return map.word(key, as: NetworkKind.self).map { .network($0) }
        case "signal": return map.label(key).map { .signal($0) }
        case "rewrite-file": return task().map { .rewriteFile(task: $0) }
        case "progress":
            let call = map.word("do", as: ClientStep.ProgressCall.self) ?? .cancel
            return task().map { .progress(task: $0, call) }
        case "lengthen-partial-files": return map.bytes(key).map { .lengthenPartialFiles(by: $0) }
        case "shorten-file": return task().map { .shortenFile(task: $0, to: length ?? 0) }
        default: return map.map(key, .answer).flatMap(answer).map { .answer($0) }
        }
    }

    private func clockChange(_ map: MappingReader) -> Duration? {
        let ahead = map.duration("ahead"), back = map.duration("back")
        if map.only(of: ["ahead", "back"]) == nil { map.missing("a clock is set 'ahead', or 'back'") }
        map.warnOfNothing("ahead", "back")
        return ahead ?? back.map { .zero - $0 }
    }

    private func keep(_ map: MappingReader) -> ClientStep.Action? {
        let task = map.value("resume-data-of").flatMap(taskLabel)
        guard let name = map.label("as") else { return nil }
        tickets.append(name)
        return task.map { .keepResumeData(task: $0, ticket: name) }
    }

    private func trigger(_ node: SourceNode) -> ClientStep.Trigger? {
        if let text = node.scalar {
            let words = text.split(separator: " ").map(String.init)
            guard words.count == 2, words[0] == "signal", Variables.isName(words[1]) else {
                return session.wrong(node, expected: "'signal x', or a map such as {task: t, received: 400}")
            }
            return .signal(words[1])
        }
        guard let map = session.map(node, .trigger) else { return nil }
        let task = map.value("task").flatMap(taskLabel)
        let bytes = map.bytes("received"), event = map.word("event", as: EventWord.self), signal = map.label("signal")
        let key = map.only(of: ["received", "event", "signal"])
        if key == nil { map.missing("'when' needs 'received', 'event' or 'signal'") }
        if key == "signal" { return signal.map { .signal($0) } }
        guard let task else {
            if !map.has("task"), key != nil { log.error("'\(key ?? "")' needs a 'task'", at: node) }
            return nil
        }
        return key == "event" ? event.map { .event(task: task, $0) } : bytes.map { .received(task: task, bytes: $0) }
    }

    // MARK: - Answers

    private func answer(_ map: MappingReader) -> AnswerRule? {
        let task = map.value("task").flatMap(taskLabelOfAny)
        let delay = map.duration("delay") ?? .zero
        let question = map.only(of: ["challenge", "redirect", "response", "needStream", "delayedRequest", "willCache"])
        let method = map.word("challenge", as: ChallengeMethod.self) ?? .basic
        let identity = map.word("identity")
        let use = map.value("use"), action = map.word("do")
        let revocation = map.word("revocation", as: RevocationPolicy.self)
        let redirect = map.value("redirect"), response = map.word("response"), stream = map.value("needStream")
        let delayed = map.value("delayedRequest"), kept = map.value("willCache"), isOfProxy = map.yesNo("proxy")
        if question != "challenge" {
            for key in ["use", "do", "identity", "proxy"] where map.has(key) {
                log.error("'\(key)' goes with 'challenge'", at: map.keyNode(key))
            }
        }
        if map.has("revocation") && action != "evaluate" {
            log.error("'revocation' goes with 'do: evaluate'", at: map.keyNode("revocation"))
        }
        switch question {
        case "challenge":
            guard let key = map.only(of: ["use", "do", "identity"]) else {
                map.missing("an answer to a challenge needs 'use' or 'do'")
                return nil
            }
            let answer =
                use.map(credentialAnswer) ?? action.flatMap { challengeAnswer($0, revocation) }
                ?? identity.map { .present($0) }
            guard let answer, fits(answer, method, at: map.keyNode(key)) else { return nil }
            var rule = AnswerRule(.challenge, answer, task: task, delay: delay)
            (rule.method, rule.isOfProxy) = (method, isOfProxy)
            return rule
        case "redirect":
            return redirect.flatMap(redirectAnswer).map { AnswerRule(.redirect, $0, task: task, delay: delay) }
        case "response":
            let answers: [String: AnswerRule.Answer] = [
                "allow": .allow, "become-download": .becomeDownload, "cancel": .cancelResponse,
                "withhold": .withhold,
            ]
            return response.flatMap { answers[$0] }.map { AnswerRule(.response, $0, task: task, delay: delay) }
        case "needStream":
            return stream.map { AnswerRule(.needStream, .stream(body($0)), task: task, delay: delay) }
        case "delayedRequest":
            return delayed.flatMap(delayedAnswer).map {
                AnswerRule(.delayedRequest, $0, task: task, delay: delay)
            }
        case "willCache":
            return kept.flatMap(keptAnswer).map { AnswerRule(.willCache, $0, task: task, delay: delay) }
        default:
            map.missing(
                "an answer needs 'challenge', 'redirect', 'response', 'needStream', 'delayedRequest' or 'willCache'")
            return nil
        }
    }

    private func keptAnswer(_ node: SourceNode) -> AnswerRule.Answer? {
        switch node.plain {
        case "keep": return .keep
        case "drop": return .drop
        case "withhold": return .withhold
        default: return session.map(node, .keptAnswer).map { .keepOther($0.value("body").flatMap(body) ?? .empty) }
        }
    }

    /// Answers are usually given before the task is there; the linter checks the name.
    private func taskLabelOfAny(_ node: SourceNode) -> String? { session.label(node, what: "a task's name") }

    private func credentialAnswer(_ node: SourceNode) -> AnswerRule.Answer {
        if node.plain == "nothing" { return .useNoCredential }
        let map = session.map(node, .givenCredential)
        return .useCredential(
            map.flatMap(credentials) ?? BasicCredentials(user: "", password: ""),
            map?.word("persistence", as: CredentialPersistence.self) ?? .session)
    }

    private func challengeAnswer(_ word: String, _ revocation: RevocationPolicy?) -> AnswerRule.Answer? {
        switch word {
        case "default": .performDefaultHandling
        case "cancel": .cancelChallenge
        case "reject": .rejectProtectionSpace
        case "withhold": .withhold
        case "trust": .trust
        case "evaluate": .evaluateTrust(revocation)
        default: nil
        }
    }

    private func fits(_ answer: AnswerRule.Answer, _ method: ChallengeMethod, at node: SourceNode) -> Bool {
        let fitting: [ChallengeMethod] =
            switch answer {
            case .useCredential: [.basic, .digest, .ntlm, .negotiate]
            case .trust, .evaluateTrust: [.serverTrust]
            case .present: [.clientCertificate]
            default: ChallengeMethod.allCases
            }
        if fitting.contains(method) { return true }
        let names = fitting.map(\.rawValue).joined(separator: "' or '")
        log.error("this answers 'challenge: \(names)' alone", at: node)
        return false
    }

    private func rewrite(_ node: SourceNode) -> AnswerRule.Answer? {
        guard let map = session.map(node, .rewrite) else { return nil }
        let fields = map.value("headers").map(headers) ?? Fields()
        let line = map.value("rewrite").flatMap(requestLine)
        return line.map { .rewrite(method: $0.method, target: $0.target, fields: fields) }
    }

    private func delayedAnswer(_ node: SourceNode) -> AnswerRule.Answer? {
        if node.isMapping { return rewrite(node) }
        switch session.word(node, among: ["continue", "cancel", "withhold"]) {
        case "continue": return .continueLoading
        case "cancel": return .cancelDelayed
        case "withhold": return .withhold
        default: return nil
        }
    }

    private func redirectAnswer(_ node: SourceNode) -> AnswerRule.Answer? {
        if node.isMapping { return rewrite(node) }
        switch session.word(node, among: ["follow", "stop", "withhold"]) {
        case "follow": return .follow
        case "stop": return .stop
        case "withhold": return .withhold
        default: return nil
        }
    }
}
