/// What messages say to authors who wrote something else.
extension KeyTable {
    private static func signInExample(of context: KeyContext) -> String {
        switch context {
        case .ntlmOffer: "{nonce: 0123456789abcdef}"
        case .ntlmProof: "{user: ann, password: s3cret, domain: OFFICE}"
        case .negotiateOffer: "{token: more}"
        default: "{user: ann}"
        }
    }

    private static func eventExample(of context: KeyContext) -> String {
        switch context {
        case .delayedRequestEvent: "{to: GET /path}"
        case .redirectEvent: "{status: 302, to: GET /end}"
        case .challengeEvent: "{method: basic, realm: vault}"
        case .sentEvent, .dataEvent, .wroteEvent: "{total: 5}"
        case .informationalEvent: "{status: 103}"
        case .responseEvent, .willCacheEvent: "{status: 200}"
        case .resumedEvent: "{offset: 400000}"
        case .fileEvent: "{equals: blob}"
        case .metricsEvent: "{transactions: [{status: 200}]}"
        case .transaction: "{request: GET /path, status: 200, reused: no}"
        default: "{error: timedOut}"
        }
    }

    private static func servingExample(of context: KeyContext) -> String {
        switch context {
        case .delaySpread: "{uniform: [100ms, 300ms]}"
        case .logNormal: "{median: 100ms, sigma: 0.5}"
        case .sentEventStep: "{data: hello, event: greeting}"
        case .sendStep: "{wait: 300ms}"
        case .rawBytes: "{hex: 0d0a}"
        case .fieldDemand: "{contains: json}"
        default: "{json: {id: 7}}"
        }
    }

    /// A map of this kind, as it is mostly written.
    static func example(of context: KeyContext) -> String {
        switch context {
        case .scenario: "{server: [], client: [], expect: {}}"
        case .needs: "{styles: [delegate]}"
        case .host: "{name: b.test, fault: {at: listen, do: reset}}"
        case .hostTLS: "{certificate: expired}"
        case .handshakeFault: "{at: server-hello+40, do: reset}"
        case .socksProxy: "{version: 5, code: 5}"
        case .socksFault: "{at: request+2, do: reset}"
        case .sessionProxy: "{http: p.test, https: p.test}"
        case .session: "{timeoutIntervalForRequest: 5s}"
        case .protocolRule: "{request: GET /path, body: hello}"
        case .bodyDefinition: "{pattern: counter, size: 1MiB}"
        case .differs: "{foundation-networking: {verdict: crashed, because: It traps.}}"
        case .difference: "{verdict: different, seen: t got complete, because: It gives up.}"
        case .exchange, .route: "{request: GET /path, reply: {body: hello}}"
        case .connectionStep: "{conn: A, close: fin}"
        case .requestWhere: "{headers: {Accept: present}}"
        case .delaySpread, .logNormal, .sentEventStep, .fieldDemand, .bodyDemand, .rawBytes, .sendStep:
            servingExample(of: context)
        case .credentials: "{user: ann, password: s3cret}"
        case .givenCredential: "{user: ann, password: s3cret, persistence: none}"
        case .storedCredential: "{user: ann, password: s3cret, realm: vault}"
        case .digestProof: "{user: ann, password: s3cret, realm: vault, nonce: n1, nc: 1}"
        case .ntlmProof, .ntlmOffer, .negotiateProof, .negotiateOffer: signInExample(of: context)
        case .gssapi: "{ticket: ann}"
        case .link: "{latency: 50ms, rate: 1MB/s}"
        case .multipartPart: "{name: photo, body: blob}"
        case .uploadStore: "{below: /uploads/, of: blob}"
        case .reply: "{status: 404, body: none}"
        case .challengeOffer: "{basic: {realm: vault}}"
        case .basicOffer: "{realm: vault}"
        case .digestOffer: "{realm: vault, nonce: n1}"
        case .fault: "{at: body+400000, do: reset}"
        case .effect: "{delay: 300ms}"
        case .diskFault: "{at: write+40000, do: full}"
        case .name: "{addresses: [v6, v4], v6: 40ms}"
        case .lateAddress: "{v6: 300ms}"
        case .task: "{task: t, request: GET /path}"
        case .edit: "{set: {Accept: text/plain}}"
        case .formPart: "{name: photo, file: blob}"
        case .slicedBody: "{body: blob, length: 64KiB}"
        case .clientStep: "{task: t, request: GET /path} or {await: t}"
        case .readingPause: "{at: 1000, until: go}"
        case .keep: "{resume-data-of: t, as: ticket}"
        case .clockChange: "{ahead: 2h}"
        case .answer: "{redirect: stop}"
        case .rewrite: "{rewrite: GET /elsewhere}"
        case .keptAnswer: "{body: other}"
        case .trigger: "{task: t, event: response}"
        case .expectation: "{t: {complete: ok, body: hello}}"
        case .taskExpectation: "{complete: ok, body: hello}"
        case .timing: "{event: complete, since: resume, within: 1s..1100ms}"
        case .wire: "{line: GET /path}"
        case .wireGroup: "{unordered: [{line: GET /a}, {line: GET /b}]}"
        case .wireClose: "{conn-of: t, by: client}"
        case .disk: "{temporary-files: 0}"
        case .sessionCache: "{memory: 64KiB}"
        case .sessionCookies: "{policy: never}"
        case .givenCookie: "{name: a, value: 1}"
        case .cookie: "{name: a, value: 1, path: /}"
        case .eventPattern: "{response: {status: 200}}"
        case .interim: "{status: 103}"
        case .delayedRequestEvent, .redirectEvent, .challengeEvent, .sentEvent, .informationalEvent, .responseEvent,
            .dataEvent, .wroteEvent, .resumedEvent, .fileEvent, .willCacheEvent, .metricsEvent, .transaction,
            .completeEvent:
            eventExample(of: context)
        }
    }

    /// What was probably meant by a word that is no key here: another word for one, or a key of a map further inside.
    static func remedy(for name: String, in context: KeyContext) -> String? {
        if let slip = slip(name, in: context) { return slip }
        let places = keys(of: context).filter { key in
            key.kind.contexts.contains { KeyTable.key(name, of: $0) != nil }
        }
        return places.isEmpty ? nil : "write it under \(places.map { "'\($0.name)'" }.joined(separator: " or "))"
    }

    private static func slip(_ name: String, in context: KeyContext) -> String? {
        switch (context, name) {
        case (.exchange, "method"), (.exchange, "path"), (.exchange, "url"), (.route, "method"), (.route, "path"),
            (.route, "url"), (.task, "method"), (.task, "path"), (.task, "url"):
            "write request: POST /path"
        case (.scenario, "name"): "write scenario: topic/name, or names: for what hosts resolve to"
        case (.scenario, "id"): "write scenario: topic/name"
        case (.scenario, "description"): "write about: one sentence"
        case (.reply, "code"): "write status: 404"
        case (.reply, "wait"), (.reply, "sleep"): "write delay: 300ms, or send: [{wait: 300ms}, rest]"
        case (.sendStep, "delay"), (.sendStep, "sleep"), (.sendStep, "pause"): "write wait: 300ms"
        case (.clientStep, "wait"), (.clientStep, "sleep"), (.clientStep, "delay"):
            "write {advance: 1s} to let time pass, {await: t} to wait for a task"
        case (.clientStep, "after"): "put {advance: 1s} before it, or say when: {task: t, event: response}"
        case (.clientStep, "timeout"): "write it in the task: {task: t, request: GET /path, timeout: 2s}"
        case (.taskExpectation, "error"): "write complete: timedOut"
        case (.taskExpectation, "status"), (.taskExpectation, "response"):
            "write events: [response: {status: 200}, data, complete: ok]"
        case (.expectation, "complete"), (.expectation, "events"), (.expectation, "body"), (.expectation, "timing"):
            "write it under the name of a task: t: {complete: ok}"
        default: nil
        }
    }
}

extension ValueKind {
    /// The kinds of maps that may stand here, alone or in a list.
    fileprivate var contexts: [KeyContext] {
        switch self {
        case .map(let context): [context]
        case .mapOf(let kind), .list(let kind): kind.contexts
        case .either(let kinds): kinds.flatMap(\.contexts)
        default: []
        }
    }
}
