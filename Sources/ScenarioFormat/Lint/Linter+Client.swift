import HTTPBasics
import ServerScript

/// Steps of the caller that cannot do what they say.
extension Linter {
    func checkClient(_ scenarioCase: ScenarioCase) {
        var suspended: Set<String> = []
        for (index, step) in scenarioCase.client.enumerated() {
            switch step.action {
            case .answer(let rule): check(rule, index, step.mark, scenarioCase)
            case .task(let task):
                check(task, step.mark)
                if !task.isResumed { suspended.insert(task.label) }
            case .suspend(let label): suspended.insert(label)
            case .resume(let label), .cancel(let label): suspended.remove(label)
            // Finishing, too, cancels what was never resumed (BEHAVIOUR 1.H1-finish).
            case .invalidate: suspended = []
            case .await(let label):
                guard suspended.contains(label) else { continue }
                warn(
                    "'\(label)' is suspended here and never completes", at: step.mark,
                    remedy: "write {resume: \(label)} before it")
            case .cancelKeepingResumeData(let label, _):
                suspended.remove(label)
                checkIsDownload(label, step.mark, scenarioCase)
            case .keepResumeData(let label, _): checkIsDownload(label, step.mark, scenarioCase)
            case .shortenFile(let label, _), .rewriteFile(let label):
                let task = scenarioCase.tasks.first { $0.label == label }
                if task?.sendsFile != true { error("'\(label)' sends no file", at: step.mark) }
            case .progress(let label, let call):
                if call == .pause { suspended.insert(label) } else { suspended.remove(label) }
            case .renew, .replaceSession, .advance, .setClock, .network, .signal, .lengthenPartialFiles: break
            }
        }
    }

    private func check(_ task: TaskStep, _ mark: SourceMark) {
        if task.kind == .bytes, scenario.needs.styles != [.async] {
            let remedy = "write needs: {styles: [async]}"
            error("'kind: bytes' exists in the async style only", at: mark, remedy: remedy)
        }
        if task.isStreamed, scenario.needs.styles != [.delegate] {
            let remedy = "write needs: {styles: [delegate]}"
            error("'streamed' exists in the delegate style only", at: mark, remedy: remedy)
        }
        // The method as it goes out: the most usual ones get capitals (BEHAVIOUR 2.F19).
        let method = HTTPMethod.inUsualCase(task.method)
        if method != method.uppercased(), Linter.methods.contains(method.uppercased()) {
            warn("this method is sent as written: '\(method)'", at: mark)
        }
    }

    private func checkIsDownload(_ label: String, _ mark: SourceMark, _ scenarioCase: ScenarioCase) {
        guard let task = scenarioCase.tasks.first(where: { $0.label == label }),
            ![.download, .upload].contains(task.kind), !scenarioCase.mayBecomeDownload(task)
        else { return }
        error("only downloads and uploads have resume data, '\(label)' is a \(task.kind.rawValue) task", at: mark)
    }

    // MARK: - Answers

    private func check(_ rule: AnswerRule, _ index: Int, _ mark: SourceMark, _ scenarioCase: ScenarioCase) {
        let labels = scenarioCase.tasks.map(\.label)
        if let label = rule.task, !labels.contains(label) {
            return error("no task '\(label)'", at: mark, remedy: Suggestion.remedy(for: label, among: labels))
        }
        let before = scenarioCase.client[..<index].map(\.action), after = scenarioCase.client[index...].map(\.action)
        let asking = scenarioCase.tasks.filter { task in
            (rule.task == nil || rule.task == task.label)
                && (after.contains(.task(task)) || !before.contains(.await(task: task.label)))
        }
        if asking.isEmpty { return warn("no task is left that could ask", at: mark, remedy: "answer before the task") }
        // An answer that only some cases need is written for all of them.
        switch rule.question {
        case .challenge where isWhole && !scenario.cases.contains(where: \.challenges):
            warn("nothing in the script challenges", at: mark)
        case .redirect where isWhole && !scenario.cases.contains(where: \.redirects):
            warn("nothing in the script redirects", at: mark)
        case .response where asking.allSatisfy({ $0.kind == .download }):
            warn("a download's delegate is not asked about the response", at: mark)
        case .delayedRequest where asking.allSatisfy({ $0.earliestBegin == nil }):
            warn("no task has an 'earliest-begin'", at: mark)
        case .willCache where scenarioCase.session.cache == nil:
            warn("the session has no 'cache'", at: mark)
        case .challenge, .redirect, .response, .needStream, .delayedRequest, .willCache: break
        }
    }
}

extension ScenarioCase {
    /// Whether a server or a protocol class asks for credentials, and whether one redirects.
    var challenges: Bool { script.challenges || session.protocolRules.contains { $0.realm != nil } }

    var redirects: Bool { script.redirects || session.protocolRules.contains(where: \.redirects) }
}
