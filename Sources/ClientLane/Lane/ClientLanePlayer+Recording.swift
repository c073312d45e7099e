import Foundation
import HTTPBasics
import Judge
import ScenarioFormat
import ServerScript

/// What the lane is told and asked, by whichever door it comes.
extension ClientLanePlayer {
    /// A delegate's method is called.
    func heard(
        _ word: EventWord, _ task: URLSessionTask, by delegate: LaneDelegate,
        _ describe: (inout SeenEvent) -> Void = { _ in }
    ) {
        let label = labels.label(of: task)
        checkCaller(word, label, delegate)
        told(word, label, task, describe)
    }

    func told(
        _ word: EventWord, _ label: String, _ task: URLSessionTask? = nil,
        _ describe: (inout SeenEvent) -> Void = { _ in }
    ) {
        guard let stage else { return }
        var event = SeenEvent(word, task: label, at: stage.clock.now)
        describe(&event)
        if let task { look(event, task) }
        if word == .wrote || word == .resumed { tasks[label]?.received = event.total ?? event.offset ?? 0 }
        journal.record(event)
        poke()
    }

    /// Of those that have begun, in the order of the scenario.
    var oldestOpenTask: String? {
        scenarioCase.tasks.map(\.label).first { tasks[$0]?.isComplete == false }
    }

    func tookData(_ data: Data, _ task: URLSessionTask, by delegate: LaneDelegate) {
        let label = labels.label(of: task)
        journal.update(label) { $0.body.append(data) }
        tasks[label]?.received += data.count
        let total = tasks[label]?.received
        heard(.data, task, by: delegate) {
            $0.bytes = data.count
            $0.total = total
        }
    }

    /// Bytes that came one by one; they are one event until something else happens.
    func tookBytes(_ bytes: [UInt8], _ label: String) {
        guard let stage, !bytes.isEmpty else { return }
        journal.append(bytes, of: label, at: stage.clock.now)
        tasks[label]?.received += bytes.count
        poke()
    }

    /// A handler was called, or an `await` returned or threw.
    func returned(
        _ label: String, _ response: URLResponse?, body: SeenContent?, file: SeenContent?, error: (any Error)?
    ) {
        var result = ReturnedResult(response, for: self)
        result.body = body
        result.file = file
        journal.update(label) { $0.returned = result }
        if let response {
            watched[label]?.response = response
            checkValue(response)
        }
        completed(label, error, response, delivered: error == nil ? body?.count ?? file?.count : nil)
    }

    func completed(
        _ label: String, _ error: (any Error)?, _ response: URLResponse? = nil, delivered: Int? = nil
    ) {
        if let response { note(response, of: label) }
        tasks[label]?.isComplete = true
        tasks[label]?.error = error
        guard let stage else { return }
        var event = SeenEvent(.complete, task: label, at: stage.clock.now)
        event.outcome = SeenEvent.outcome(of: error)
        look(event, error: error, delivered: delivered, nil)
        journal.record(event)
        poke()
    }

    private func note(_ response: URLResponse, of label: String) {
        let answer = response as? HTTPURLResponse
        let announced = AnnouncedBody(
            status: answer?.statusCode, length: Int(clamping: response.expectedContentLength),
            method: tasks[label]?.handle?.currentRequest?.httpMethod ?? writtenMethods[label],
            isCoded: LaneSession.decodes(
                answer?.value(forHTTPHeaderField: "Content-Encoding") ?? "", in: scenarioCase))
        journal.update(label) { $0.announced = announced }
    }

    /// What the lane does to the task from here on, it does to the download.
    func becameDownload(_ task: URLSessionDownloadTask, _ label: String) {
        tasks[label]?.handle = task
        leakSuspects.append(LeakSuspect(task))
        watched[label]?.task = task
        called("becameDownload")
        told(.becameDownload, label, task)
    }

    /// The end of a session that another one has replaced is not recorded.
    func becameInvalid(_ session: URLSession) {
        called("didBecomeInvalid")
        guard let stage, session === stage.session else { return }
        journal.recordInvalid(at: stage.clock.now)
        poke()
    }

    // MARK: Questions

    func asked(
        _ question: AnswerRule.Question, _ label: String, method: ChallengeMethod? = nil, isOfProxy: Bool = false,
        reply: @escaping @Sendable (AnswerRule.Answer?) -> Void
    ) {
        // The latest rule counts: answers are configured from then on.
        let rule = rules.last {
            $0.question == question && ($0.task ?? label) == label && ($0.method ?? method) == method
                && ($0.isOfProxy ?? isOfProxy) == isOfProxy
        }
        if rule?.answer == .withhold { return withheld.append(reply) }
        let delay = rule?.delay ?? .zero
        guard let stage, delay > .zero || !stage.reactsAtOnce else { return reply(rule?.answer) }
        stage.clock.schedule(after: delay) { reply(rule?.answer) }
    }

    /// The request that a redirect goes on with; nil stops it.
    func redirected(_ answer: AnswerRule.Answer?, proposed: URLRequest) -> URLRequest? {
        switch answer {
        case .stop: return nil
        case .rewrite(let method, let target, let fields):
            var request = proposed
            request.httpMethod = method
            for field in fields.list { request.setValue(field.value, forHTTPHeaderField: field.name) }
            if let text = origins.absolute(target, host: nil), let url = URL(string: text) { request.url = url }
            return request
        default: return proposed
        }
    }

    static func disposition(
        _ answer: AnswerRule.Answer?, to challenge: URLAuthenticationChallenge
    ) -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        switch answer {
        case .useCredential(let credentials, let persistence):
            let credential = URLCredential(
                user: credentials.user, password: credentials.password,
                persistence: LaneRequest.persistence(persistence))
            return (.useCredential, credential)
        case .useNoCredential: return (.useCredential, nil)
        case .trust: return (.useCredential, LaneSession.credential(trusting: challenge))
        case .evaluateTrust(let policy):
            guard LaneSession.evaluates(challenge, policy) else { return (.cancelAuthenticationChallenge, nil) }
            return (.useCredential, LaneSession.credential(trusting: challenge))
        case .present(let name): return (.useCredential, LaneSession.credential(presenting: name))
        case .cancelChallenge: return (.cancelAuthenticationChallenge, nil)
        case .rejectProtectionSpace: return (.rejectProtectionSpace, nil)
        default: return (.performDefaultHandling, nil)
        }
    }
}
