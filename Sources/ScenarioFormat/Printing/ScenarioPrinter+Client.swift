import HTTPBasics
import ServerScript

extension ScenarioPrinter {
    func clientStep(_ step: ClientStep) -> ShownValue {
        let triggers = step.when.map(trigger)
        let when: ShownValue? = triggers.count > 1 ? .list(triggers) : triggers.first
        return .fields(action(step.action) + [("when", when)])
    }

    private func action(_ action: ClientStep.Action) -> [(String, ShownValue?)] {
        switch action {
        case .task(let task): return self.task(task)
        case .await(let task): return [("await", .text(task))]
        case .suspend(let task): return [("suspend", .text(task))]
        case .resume(let task): return [("resume", .text(task))]
        case .cancel(let task): return [("cancel", .text(task))]
        case .cancelKeepingResumeData(let task, let ticket):
            return [("cancel-keeping-resume-data", .text(task)), ("as", ticket.map { .text($0) })]
        case .keepResumeData(let task, let ticket):
            return [("keep", .map([("resume-data-of", .text(task)), ("as", .text(ticket))]))]
        case .invalidate(let cancelling): return [("invalidate", .word(cancelling ? "cancel" : "finish"))]
        case .renew(let isReset): return [("session", .word(isReset ? "reset" : "flush"))]
        case .replaceSession: return [("session", .word("another"))]
        case .advance(let span): return [("advance", duration(span))]
        case .setClock(let span):
            let change = span < .zero ? ("back", duration(.zero - span)) : ("ahead", duration(span))
            return [("set-clock", .map([change]))]
        case .network(let kind): return [("network", .word(kind.rawValue))]
        case .signal(let name): return [("signal", .text(name))]
        case .shortenFile(let task, let length): return [("shorten-file", .text(task)), ("to", size(length))]
        case .rewriteFile(let task): return [("rewrite-file", .text(task))]
        case .progress(let task, let call): return [("progress", .text(task)), ("do", .word(call.rawValue))]
        case .lengthenPartialFiles(let count): return [("lengthen-partial-files", size(count))]
        case .answer(let rule): return [("answer", answer(rule))]
        }
    }

    private func task(_ task: TaskStep) -> [(String, ShownValue?)] {
        let isResuming = task.resumeData != nil || task.rawResumeData != nil
        return [
            ("task", .text(task.label)), ("kind", .word(task.kind.rawValue)),
            ("request", isResuming ? nil : url("\(task.method) \(task.target)")),
            ("resume-data", task.resumeData.map { .text($0) }), ("raw-resume-data", task.rawResumeData.map(body)),
            ("host", task.host.map { .text($0) }), ("headers", fields(task.fields)), ("body", task.body.map(body)),
            ("body-stream", task.bodyStream.map(body)), ("piped", task.producer.map(producer)),
            ("body-file", (task.bodyFile?.content).map(body)),
            ("file", (task.bodyFile?.obstacle).map { .word($0.rawValue) }),
            ("streamed", task.isStreamed ? .word("yes") : nil),
            ("form", task.form.map { .list($0.map(formPart)) }), ("sliced", task.sliced.map(sliced)),
            ("timeout", task.timeout.map(duration)),
            ("cache-policy", task.cachePolicy.map { .word($0.rawValue) }),
            ("edits", task.edits.isEmpty ? nil : .list(task.edits.map(edit))),
            ("earliest-begin", task.earliestBegin.map(duration)),
            ("resume", task.isResumed ? nil : .word("no")),
            ("url-credentials", task.urlCredentials.map(credentials)),
            ("main-document", task.mainDocument.map(url)),
            ("handles-cookies", task.handlesCookies ? nil : .word("no")),
            ("denies", denied(task.denies)),
            ("own-delegate", task.ownDelegate.map { .word($0 == .full ? "yes" : $0.rawValue) }),
            (
                "pause-reading",
                task.pauseReading.map { .map([("at", size($0.at)), ("until", .text($0.until))]) }
            ),
            ("stop-reading", task.stopReading.map { size($0) }), ("lines", task.readsLines ? .word("yes") : nil),
        ]
    }

    private func producer(_ producer: TaskStep.Producer) -> ShownValue {
        switch producer {
        case .closes: .word("yes")
        case .letsGo(let count): size(count)
        }
    }

    private func edit(_ edit: RequestEdit) -> ShownValue {
        let entry: (String, ShownValue?) =
            switch edit {
            case .add(let fields): ("add", self.fields(fields))
            case .set(let fields): ("set", self.fields(fields))
            case .remove(let names): ("remove", texts(names))
            case .allFields(let fields): ("all-fields", fields.flatMap(self.fields) ?? .word("none"))
            case .method(let name): ("method", .text(name))
            case .url(let target): ("url", url(target))
            case .body(let content): ("body", content.map(body) ?? .word("none"))
            case .timeout(let span): ("timeout", duration(span))
            case .form(let form): ("as", .word(form.rawValue))
            }
        return .fields([entry])
    }

    private func formPart(_ part: FormPart) -> ShownValue {
        .fields([
            ("name", .text(part.name)), ("filename", part.filename.map { .text($0) }),
            ("type", part.type.map { .text($0) }), (part.isFile ? "file" : "body", body(part.content)),
        ])
    }

    private func sliced(_ sliced: SlicedBody) -> ShownValue {
        .fields([
            ("body", body(sliced.content)), ("length", sliced.length.map { size($0) }),
            ("parallel", number(sliced.parallel)),
            ("attempts", number(sliced.attempts)), ("state", sliced.state.map { .text($0) }),
        ])
    }

    private func trigger(_ trigger: ClientStep.Trigger) -> ShownValue {
        switch trigger {
        case .received(let task, let bytes): .map([("task", .text(task)), ("received", size(bytes))])
        case .event(let task, let word): .map([("task", .text(task)), ("event", .word(word.rawValue))])
        case .signal(let name): .map([("signal", .text(name))])
        }
    }

    private func answer(_ rule: AnswerRule) -> ShownValue {
        var entries: [(String, ShownValue?)] =
            switch rule.question {
            case .challenge: [("challenge", .word((rule.method ?? .basic).rawValue))]
            case .redirect, .response, .needStream, .delayedRequest, .willCache: []
            }
        let question = rule.question.rawValue
        switch rule.answer {
        case .useCredential(let credentials, let persistence):
            let persistence = persistence == .session ? nil : ShownValue.word(persistence.rawValue)
            entries.append(("use", .fields(shown(credentials) + [("persistence", persistence)])))
        case .useNoCredential: entries.append(("use", .word("nothing")))
        case .performDefaultHandling: entries.append(("do", .word("default")))
        case .cancelChallenge: entries.append(("do", .word("cancel")))
        case .rejectProtectionSpace: entries.append(("do", .word("reject")))
        case .withhold: entries.append((rule.question == .challenge ? "do" : question, .word("withhold")))
        case .trust: entries.append(("do", .word("trust")))
        case .evaluateTrust(let policy):
            entries += [("do", .word("evaluate")), ("revocation", policy.map { .word($0.rawValue) })]
        case .present(let name): entries.append(("identity", .word(name)))
        case .follow: entries.append((question, .word("follow")))
        case .continueLoading: entries.append((question, .word("continue")))
        case .stop: entries.append((question, .word("stop")))
        case .rewrite(let method, let target, let fields):
            let line = ShownValue.text("\(method) \(target)")
            entries.append((question, .fields([("rewrite", line), ("headers", self.fields(fields))])))
        case .allow: entries.append((question, .word("allow")))
        case .stream(let content): entries.append((question, content.map(body) ?? .word("none")))
        case .cancelResponse, .cancelDelayed: entries.append((question, .word("cancel")))
        case .becomeDownload: entries.append((question, .word("become-download")))
        case .keep: entries.append((question, .word("keep")))
        case .keepOther(let content): entries.append((question, .map([("body", body(content))])))
        case .drop: entries.append((question, .word("drop")))
        }
        entries += [
            ("proxy", rule.isOfProxy.map { .word($0 ? "yes" : "no") }),
            ("task", rule.task.map { .text($0) }), ("delay", rule.delay == .zero ? nil : duration(rule.delay)),
        ]
        return .fields(entries)
    }
}
