import TLSBasics

extension KeyTable {
    /// What must be seen, besides events. In `expect` every other key is the name of a task.
    static let expectationKeys: [KeyContext: [Key]] = [
        .expectation: [
            Key(
                "wire", .list(.either([.map(.wire), .map(.wireGroup)])),
                "The requests that the server read, in order, and none besides"),
            Key("connections", .countRange, "How many connections the server accepted"),
            Key("attempts", .count, "How many connections the client tried to open; not known over sockets"),
            Key("order", .list(.text), "`b.complete before a.complete`, `GET /a before b.response`"),
            Key("wire-close", .list(.map(.wireClose)), "Who ended a connection"),
            Key("disk", .map(.disk), "What is left on disk when all is over"),
            Key(
                "cookies", .list(.either([.text, .map(.cookie)])),
                "All cookies of the session's storage in the end, by name, then path, then domain; `a=1`, or a map"),
            Key("session", .words(["invalid"]), "The session tells its delegate, last of all, that it is invalid"),
        ],
        .taskExpectation: [
            Key("events", .list(.map(.eventPattern)), "Ordered and closed: an event that is not listed fails"),
            Key("complete", .outcome, "In place of `events`: only how the task completes"),
            Key("body", .body, "The whole body that the caller was given"),
            Key("timing", .list(.map(.timing)), "When things happen"),
        ],
        .timing: [
            Key(
                "event", .text,
                "An event, the first of its kind unless `last data` is written; or a date of its metrics",
                required: true),
            Key("since", .text, "`resume`, an event, or a date of its metrics", required: true),
            Key("within", .durationRange, "Both ends belong to it", required: true),
        ],
        .wire: [
            Key("line", .requestLine, "Method and target as sent", required: true),
            fieldDemands,
            Key("absent", .list(.text), "Fields that must not be there"),
            bodyDemand,
            Key("body-prefix-of", .body, "The body must be a beginning of this one, of a byte at least"),
        ],
        .wireGroup: [
            Key("unordered", .list(.map(.wire)), "All of these requests, in any order", required: true)
        ],
        .wireClose: [
            Key("conn-of", .label, "The task whose last exchange the connection carried", required: true),
            Key("by", .words(["client", "server"]), "Who ended it", required: true),
        ],
        .disk: [Key("temporary-files", .count, "Files in the download directory", required: true)],
    ]

    private static let total = Key("total", .sizeRule, "Bytes when the run of such events ends")
    private static let expected = Key("expected", .bytes, "Bytes expected in the end")
    private static let status = Key("status", .status, "Status of the response")
    private static let url = Key("url", .text, "Path and query of its URL")
    private static let headers = Key("headers", .fieldRules, "Fields of the response")

    /// The events, and the escapes from a closed list.
    static let eventKeys: [KeyContext: [Key]] = [
        .eventPattern: EventWord.allCases.filter { $0 != .created }.map { word in
            Key(word.rawValue, eventKind(of: word), eventMeaning(of: word))
        } + [
            Key("maybe", .list(.map(.eventPattern)), "These may come here, each at most once, in this order"),
            Key("unordered", .list(.map(.eventPattern)), "All of these, in any order"),
            Key(
                "never", .list(.words(EventWord.allCases.map(\.rawValue))), "None of these, anywhere in the list"),
            Key("repeat", .countRange, "The pattern of `of`, so many times"),
            Key("of", .map(.eventPattern), "What `repeat` repeats"),
            Key(
                "any-of", .list(.either([.list(.map(.eventPattern)), .map(.eventPattern)])),
                "One of these lists; a list of one event may be written as the event"),
        ],
        .redirectEvent: [status, Key("to", .requestLine, "The proposed request")],
        .challengeEvent: [
            Key("method", .words(ChallengeMethod.allCases.map(\.rawValue)), "Authentication method"),
            Key("realm", .text, "Its realm"),
            Key("level", .words(ChallengeLevel.allCases.map(\.rawValue)), "Whose method is asked"),
            Key("previousFailures", .count, "How often credentials failed before"),
            Key("proxy", .yesNo, "Whether its space is a proxy's"),
        ],
        .delayedRequestEvent: [Key("to", .requestLine, "Method and target of the request")],
        .sentEvent: [total, expected],
        .informationalEvent: [status, headers],
        .responseEvent: [
            status, url, headers,
            Key("absent", .list(.text), "Fields that must not be there"),
            Key("length", .either([.bytes, .words(["unknown"])]), "Its `expectedContentLength`; `unknown` is -1"),
            Key("type", .text, "Its `mimeType`; `none` for nil"),
            Key("encoding", .text, "Its `textEncodingName`; `none` for nil"),
            Key("filename", .text, "Its `suggestedFilename`"),
            Key("names", .list(.text), "Names that `allHeaderFields` has, in just these letters"),
        ],
        .dataEvent: [total, Key("equals", .body, "The bytes of the run of such events")],
        .wroteEvent: [total, expected],
        .resumedEvent: [Key("offset", .bytes, "Where the download goes on"), expected],
        .fileEvent: [Key("equals", .body, "Content of the downloaded file")],
        .willCacheEvent: [status, total],
        .metricsEvent: [
            Key("redirects", .count, "How many redirects were followed"),
            Key(
                "transactions", .list(.map(.transaction)), "One for each request that was tried: all of them, in order"),
        ],
        .transaction: [
            Key("request", .requestLine, "Its request"),
            Key("status", .either([.status, .words(["none"])]), "Status of its response; `none` when no head came"),
            Key("reused", .yesNo, "Whether its connection had carried another request before"),
            Key("proxied", .yesNo, "Whether a proxy lay between"),
            Key("from", .words(["network", "cache", "unknown"]), "Its `resourceFetchType`"),
            Key("protocol", .words(["http/1.1", "http/1.0", "none"]), "`none` without a connection"),
            Key(
                "family", .words(["v6", "v4", "none"]), "Of the address at the other end; `none` without a connection"),
            Key(
                "tls", .words(TLSVersion.allCases.map(\.word) + ["none"]),
                "The version of TLS that the connection speaks; `none` without"),
            Key("phases", phases, "The phases that came to their end: all of them, in order"),
            Key("unfinished", phases, "The phases that began and did not end: all of them"),
            Key("sent", .bytes, "Bytes of the request's body on the wire, chunk framing included"),
            Key("sent-plain", .bytes, "The same without the framing"),
            Key("received", .bytes, "Bytes of the response's body as they came, compressed and in chunks"),
            Key("received-plain", .bytes, "Bytes of it that the caller was given"),
            Key("sent-head", .bytes, "Bytes of the request's head"),
            Key("received-head", .bytes, "Bytes of the response's head, and of informational ones before it"),
        ],
        .completeEvent: [
            Key(
                "error", .either([.text, .list(.text)]), "Name of a `URLError.Code`, or several allowed ones",
                required: true),
            Key("resume-data", .words(["present", "absent"]), "Whether the error carries resume data"),
        ],
    ]

    private static let phases = ValueKind.list(.words(TransactionPhase.allCases.map(\.rawValue)))

    private static func eventKind(of word: EventWord) -> ValueKind {
        switch word {
        case .created: .words([])
        case .waiting: .words(["once"])
        case .delayedRequest: .map(.delayedRequestEvent)
        case .becameDownload: .words(["once"])
        case .redirect: .map(.redirectEvent)
        case .challenge: .map(.challengeEvent)
        case .needStream: .words(["once"])
        case .sent: .map(.sentEvent)
        case .informational: .map(.informationalEvent)
        case .response: .map(.responseEvent)
        case .data: .map(.dataEvent)
        case .wrote: .map(.wroteEvent)
        case .resumed: .map(.resumedEvent)
        case .file: .map(.fileEvent)
        case .willCache: .map(.willCacheEvent)
        case .metrics: .map(.metricsEvent)
        case .complete: .outcome
        }
    }

    private static func eventMeaning(of word: EventWord) -> String {
        switch word {
        case .created: "`didCreateTask`"
        case .waiting: "`taskIsWaitingForConnectivity`"
        case .delayedRequest: "`willBeginDelayedRequest`"
        case .becameDownload: "`didBecome downloadTask`"
        case .redirect: "`willPerformHTTPRedirection`"
        case .challenge: "`didReceive challenge`"
        case .needStream: "`needNewBodyStream`"
        case .sent: "`didSendBodyData`"
        case .informational: "`didReceiveInformationalResponse`"
        case .response: "`didReceive response`"
        case .data: "`didReceive data`"
        case .wrote: "`didWriteData`"
        case .resumed: "`didResumeAtOffset`"
        case .file: "`didFinishDownloadingTo`"
        case .willCache: "`willCacheResponse`"
        case .metrics: "`didFinishCollecting`"
        case .complete: "`didCompleteWithError`"
        }
    }
}
