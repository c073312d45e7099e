import HTTPBasics
import ScenarioFormat
import ServerScript

/// What a client has no means for. Such a case is counted as unimplemented, not failed.
package enum ClientGaps {
    /// What is missing for this case; nil when it can be played, or is ours.
    package static func gap(of client: ClientName, _ scenarioCase: ScenarioCase, style: Style) -> String? {
        guard client == .foundation else { return nil }
        let tasks = scenarioCase.client.compactMap { step -> TaskStep? in
            if case .task(let task) = step.action { return task }
            return nil
        }
        if !scenarioCase.diskFaults.isEmpty { return "has no disk that fails on purpose" }
        if scenarioCase.session.tlsMinimum != nil || scenarioCase.session.tlsMaximum != nil {
            return "has no limits of TLS versions"
        }
        if scenarioCase.session.proxy != nil { return "stores connectionProxyDictionary and never uses it" }
        if !scenarioCase.names.allSatisfy(\.isSystems) { return "resolves names by the system only" }
        if scenarioCase.script.offersDigest { return "knows no Digest" }
        if scenarioCase.script.offersNTLM { return "knows no NTLM" }
        if scenarioCase.script.offersNegotiate { return "knows no Negotiate" }
        let session = scenarioCase.session
        if !session.credentials.isEmpty || !session.hasCredentialStorage || session.hasCredentialFile {
            return "never finds a credential for a server's space"
        }
        if scenarioCase.session.cache != nil { return "keeps no answers" }
        if scenarioCase.session.cookies.answersAfter != nil { return "has no storages of cookies that can be made" }
        if scenarioCase.speaksOfDomains { return "is given addresses for hosts, which have no domains" }
        if scenarioCase.session.resumableUploads != nil { return "has no resumable uploads" }
        if scenarioCase.session.maximumBodyBytesInMemory ?? .max < .max { return "limits no body in memory" }
        if scenarioCase.speaksOfNetworks { return "does not look at networks" }
        if tasks.contains(where: { $0.kind == .bytes }) { return "has no bytes(for:)" }
        if scenarioCase.session.delegate == .async || tasks.contains(where: { $0.ownDelegate == .async }) {
            return "has no asynchronous delegate methods"
        }
        if scenarioCase.session.delegate == .forwarding || tasks.contains(where: { $0.ownDelegate == .forwarding }) {
            return "has no methods for all calls"
        }
        if tasks.contains(where: { $0.form != nil }) { return "has no MultipartFormData" }
        if tasks.contains(where: { $0.producer != nil }) { return "has no BoundStreams" }
        if tasks.contains(where: { $0.sliced != nil }) { return "has no SlicedUpload" }
        if tasks.contains(where: { $0.earliestBegin != nil }) { return "does not heed earliestBeginDate" }
        let answers = scenarioCase.client.map(\.action)
        for case .answer(let rule) in answers {
            switch rule.method {
            case .serverTrust: return "asks no delegate whether it trusts a server"
            case .clientCertificate: return "has no certificates to show to a server"
            case .basic, .digest, .ntlm, .negotiate, nil: break
            }
        }
        for case .answer(let rule) in answers where rule.answer == .becomeDownload { return "has no becomeDownload" }
        let isResumed = tasks.contains { $0.resumeData != nil || $0.rawResumeData != nil }
        if style == .async, isResumed { return "has no method that continues a task" }
        if QuestionDelegateNeed.measures(scenarioCase) { return "never calls urlSession(_:task:didFinishCollecting:)" }
        guard style == .delegate else { return nil }
        let words = scenarioCase.expect.tasks.reduce(into: Set<EventWord>()) {
            $0.formUnion(Words.listed(in: $1.events ?? []))
        }
        if words.contains(.created) { return "has no urlSession(_:didCreateTask:)" }
        if words.contains(.informational) { return "has no urlSession(_:task:didReceiveInformationalResponse:)" }
        return nil
    }
}

extension ScenarioCase {
    /// Whether it says what the machine's network is, or which one may be used.
    fileprivate var speaksOfNetworks: Bool {
        if session.network != nil || session.waitsForConnectivity || !session.denies.isEmpty { return true }
        return client.contains { step in
            switch step.action {
            case .task(let task): !task.denies.isEmpty
            case .network: true
            default: false
            }
        }
    }

    /// Whether a server sets a cookie for more than its own host, or the caller does.
    fileprivate var speaksOfDomains: Bool {
        if session.cookies.jar.contains(where: { $0.domain != nil }) { return true }
        if expect.cookies?.contains(where: { $0.domain != nil }) ?? false { return true }
        return script.replies.contains { reply, _ in
            reply.fields.values("Set-Cookie").contains { $0.lowercased().contains("domain=") }
        }
    }
}

extension Script {
    fileprivate var offersNTLM: Bool {
        replies.contains { reply, _ in
            reply.challenges.contains { if case .ntlm = $0 { true } else { false } }
        }
    }

    fileprivate var offersNegotiate: Bool {
        replies.contains { reply, _ in
            reply.challenges.contains { if case .negotiate = $0 { true } else { false } }
        }
    }

    fileprivate var offersDigest: Bool {
        replies.contains { reply, _ in
            reply.challenges.contains { if case .digest = $0 { true } else { false } }
        }
    }
}
