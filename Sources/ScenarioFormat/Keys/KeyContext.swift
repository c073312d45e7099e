/// A kind of map that a scenario file can hold. Its keys stand in `KeyTable`.
package enum KeyContext: String, Hashable, Sendable, CaseIterable {
    case scenario, needs, host, hostTLS, handshakeFault, gssapi, link, socksProxy, socksFault, session, sessionProxy,
        protocolRule, bodyDefinition, differs, difference
    case exchange, connectionStep, route, requestWhere, delaySpread, logNormal, sentEventStep, fieldDemand, bodyDemand,
        credentials, givenCredential, storedCredential, digestProof,
        ntlmProof, negotiateProof,
        multipartPart,
        uploadStore
    case reply, interim, challengeOffer, basicOffer, digestOffer, ntlmOffer, negotiateOffer, sendStep, rawBytes, fault,
        effect,
        diskFault
    case name, lateAddress
    case task, edit, formPart, slicedBody, clientStep, readingPause, keep, clockChange, answer, rewrite, keptAnswer,
        trigger
    case expectation, taskExpectation, timing, wire, wireGroup, wireClose, disk
    case sessionCache, sessionCookies, givenCookie, cookie
    case eventPattern, delayedRequestEvent, redirectEvent, challengeEvent, sentEvent, informationalEvent, responseEvent,
        dataEvent
    case wroteEvent, resumedEvent, fileEvent, willCacheEvent, metricsEvent, transaction, completeEvent

    /// As messages and the reference name it: `unknown key 'x' in <phrase>`.
    package var phrase: String {
        switch self {
        case .scenario: "a scenario"
        case .needs: "'needs'"
        case .host: "a host"
        case .hostTLS: "the TLS of a host"
        case .handshakeFault: "a fault of a handshake"
        case .gssapi: "'gssapi'"
        case .link: "'link'"
        case .socksProxy: "'socks'"
        case .socksFault: "a fault of SOCKS"
        case .session: "'session'"
        case .sessionProxy: "'proxy'"
        case .protocolRule: "an answer of 'protocol'"
        case .bodyDefinition: "a body"
        case .differs: "'differs'"
        case .difference: "a known difference"
        case .exchange: "a server exchange"
        case .connectionStep: "a connection step"
        case .route: "a route"
        case .requestWhere: "'where'"
        case .delaySpread, .logNormal, .sentEventStep, .fieldDemand, .bodyDemand, .rawBytes, .sendStep: servingPhrase
        case .credentials: "credentials"
        case .givenCredential: "a credential"
        case .storedCredential: "a stored credential"
        case .digestProof, .ntlmProof, .negotiateProof, .digestOffer, .ntlmOffer, .negotiateOffer: schemePhrase
        case .multipartPart: "a multipart part"
        case .uploadStore: "'resumable'"
        case .reply: "a reply"
        case .interim: "an interim answer"
        case .challengeOffer: "a server's challenge"
        case .basicOffer: "a Basic challenge"
        case .fault: "a fault"
        case .effect: "a fault's effect"
        case .diskFault: "a fault of the disk"
        case .name: "a name"
        case .lateAddress: "an address that answers late"
        case .task: "a task"
        case .edit: "an edit of a request"
        case .formPart: "a part of a form"
        case .slicedBody: "'sliced'"
        case .clientStep: "a client step"
        case .readingPause: "'pause-reading'"
        case .keep: "'keep'"
        case .clockChange: "'set-clock'"
        case .answer: "an answer"
        case .rewrite: "a redirect's answer"
        case .keptAnswer: "what is kept instead"
        case .trigger: "'when'"
        case .expectation: "'expect'"
        case .taskExpectation: "a task's expectation"
        case .timing: "a timing rule"
        case .wire: "a request on the wire"
        case .wireGroup: "requests in any order"
        case .wireClose: "a rule of 'wire-close'"
        case .disk: "'disk'"
        case .sessionCache, .sessionCookies, .givenCookie, .cookie: cookiePhrase
        case .eventPattern: "a list of events"
        case .delayedRequestEvent, .redirectEvent, .challengeEvent, .sentEvent, .informationalEvent, .responseEvent,
            .dataEvent, .wroteEvent, .resumedEvent, .fileEvent, .willCacheEvent, .metricsEvent, .transaction,
            .completeEvent:
            eventPhrase
        }
    }

    private var eventPhrase: String {
        switch self {
        case .delayedRequestEvent: "a 'delayedRequest' event"
        case .redirectEvent: "a 'redirect' event"
        case .challengeEvent: "a 'challenge' event"
        case .sentEvent: "a 'sent' event"
        case .informationalEvent: "an 'informational' event"
        case .responseEvent: "a 'response' event"
        case .dataEvent: "a 'data' event"
        case .wroteEvent: "a 'wrote' event"
        case .resumedEvent: "a 'resumed' event"
        case .fileEvent: "a 'file' event"
        case .willCacheEvent: "a 'willCache' event"
        case .metricsEvent: "a 'metrics' event"
        case .transaction: "a transaction"
        default: "a 'complete' event"
        }
    }

    private var servingPhrase: String {
        switch self {
        case .delaySpread: "a delay that differs"
        case .logNormal: "'log-normal'"
        case .sentEventStep: "a step of 'events'"
        case .rawBytes: "raw bytes"
        case .sendStep: "a step of 'send'"
        case .fieldDemand: "a demand on a value"
        default: "a demand on a body"
        }
    }

    private var schemePhrase: String {
        switch self {
        case .digestProof: "a Digest proof"
        case .ntlmProof: "a message of NTLM"
        case .digestOffer: "a Digest challenge"
        case .ntlmOffer: "an NTLM challenge"
        case .negotiateProof: "a token of Negotiate"
        default: "a Negotiate challenge"
        }
    }

    private var cookiePhrase: String {
        switch self {
        case .sessionCache: "the cache of a session"
        case .sessionCookies: "the cookies of a session"
        case .givenCookie: "a cookie of a jar"
        default: "a cookie in the end"
        }
    }
}
