extension KeyTable {
    private static let whenKey = Key(
        "when", .either([.text, .map(.trigger), .list(.either([.text, .map(.trigger)]))]),
        "Wait for this first: `signal x`, a trigger, or a list of them")

    /// What the caller does.
    static let clientKeys: [KeyContext: [Key]] = [
        .task: [
            Key("task", .label, "Name of the task in this file", required: true),
            Key(
                "kind", .words(TaskStep.Kind.allCases.map(\.rawValue)),
                "Default `data`; `bytes` needs the async style, `upload` a body"),
            Key("request", .requestLine, "`POST /path`, `/path` (GET), or with an absolute URL"),
            Key("host", .text, "One of `hosts`; default the first"),
            Key("headers", .headers, "Fields of the request"),
            Key("body", .body, "Its body"),
            Key("body-stream", .body, "Its body, read from a stream: `httpBodyStream`"),
            Key(
                "piped", .either([.yesNo, .bytes]),
                "A producer writes `body-stream` into a `BoundStreams`, and closes its end, or lets go of it after so many "
                    + "bytes"),
            Key("form", .list(.map(.formPart)), "Its body, a `MultipartFormData` of these parts"),
            Key("sliced", .map(.slicedBody), "A `SlicedUpload`; the request is that of each slice"),
            Key("body-file", .body, "For `upload`: its body is sent from a file"),
            Key("file", .words(BodyFileStep.Obstacle.allCases.map(\.rawValue)), "What is in the place of `body-file`"),
            Key("streamed", .yesNo, "For `upload`: `needStream` asks for its body; needs the delegate style"),
            Key("timeout", .duration, "`timeoutInterval` of the request"),
            Key("cache-policy", .words(CachePolicyName.allCases.map(\.rawValue)), "`cachePolicy` of the request"),
            Key(
                "edits", .list(.map(.edit)),
                "What the caller does to the request, one after another, before the task is made"),
            Key("earliest-begin", .duration, "`earliestBeginDate`: so long after the task was made"),
            Key("resume-data", .label, "Continue the download whose resume data was kept under this name"),
            Key("raw-resume-data", .body, "Use these bytes as resume data"),
            Key("resume", .yesNo, "`no` leaves the task suspended; default `yes`"),
            Key("url-credentials", .map(.credentials), "User and password in the URL"),
            Key("main-document", .text, "`mainDocumentURL` of the request: a path, or a whole URL"),
            Key("handles-cookies", .yesNo, "`httpShouldHandleCookies` of the request; default `yes`"),
            Key(
                "denies", .list(.words(DeniedNetwork.allCases.map(\.rawValue))),
                "Networks that its request does not go out on: `allowsCellularAccess` and the like are false"),
            Key(
                "own-delegate", .either([.yesNo, .words(["bare", "async", "forwarding", "both-levels"])]),
                "Give the task a delegate of its own, written so (see `session`); default `no`"),
            Key("pause-reading", .map(.readingPause), "For `bytes`: stop reading for a while"),
            Key("stop-reading", .bytes, "For `bytes`: let go of the sequence after so many, which completes it here"),
            Key("lines", .yesNo, "For `bytes`: read its `lines`; each counts as its text and a line feed"),
            whenKey,
        ],
        .edit: [
            Key("add", .headers, "`addValue` of these fields"),
            Key("set", .headers, "`setValue` of these fields"),
            Key("remove", .list(.text), "`setValue` of nil for these fields"),
            Key("all-fields", .either([.words(["none"]), .headers]), "`allHTTPHeaderFields` become these"),
            Key("method", .text, "`httpMethod` becomes this"),
            Key("url", .text, "`url` becomes that of this target"),
            Key("body", .body, "`httpBody` becomes this; `none` for nil"),
            Key("timeout", .duration, "`timeoutInterval` becomes this"),
            Key(
                "as", .words(RequestEdit.Form.allCases.map(\.rawValue)),
                "Goes on with an `NSMutableURLRequest` of the same content, or with what an archive gives back"),
        ],
        .clientStep: [
            Key("await", .label, "Go on when this task has completed"),
            Key("suspend", .label, "`suspend()` of this task"),
            Key("resume", .label, "`resume()` of this task"),
            Key("cancel", .label, "`cancel()` of this task"),
            Key("cancel-keeping-resume-data", .label, "`cancel(byProducingResumeData:)` of this task"),
            Key("as", .label, "The name under which `cancel-keeping-resume-data` keeps the data"),
            Key("keep", .map(.keep), "Keep the resume data of a task's error"),
            Key(
                "invalidate", .words(["cancel", "finish"]), "`invalidateAndCancel` or `finishTasksAndInvalidate`"),
            Key(
                "session", .words(["reset", "flush", "another"]),
                "`reset` or `flush`, goes on when its handler was called; `another`: when every task is complete, goes on "
                    + "with another session of the same kind"),
            Key("advance", .duration, "Let time pass"),
            Key(
                "set-clock", .map(.clockChange),
                "Set the wall clock of both sides; no time passes. Simulated world only"),
            Key(
                "network", .words(NetworkKind.allCases.map(\.rawValue)),
                "What the machine's network is from now on; open connections stay"),
            Key("signal", .label, "Lets all steps go on that await this name"),
            Key("shorten-file", .label, "Make the file that this task sends shorter; the first of a form"),
            Key("rewrite-file", .label, "Write the file that this task sends once more, with the same bytes"),
            Key("progress", .label, "`cancel()`, `pause()` or `resume()` of this task's `progress`"),
            Key("do", .words(ClientStep.ProgressCall.allCases.map(\.rawValue)), "Which of them `progress` means"),
            Key("to", .bytes, "The length that `shorten-file` leaves"),
            Key("lengthen-partial-files", .bytes, "Put so many bytes behind each file in the download directory"),
            Key("answer", .map(.answer), "From now on, answer this kind of question so"),
            whenKey,
        ],
        .formPart: [
            Key("name", .text, "Name of the form field", required: true),
            Key("body", .body, "Its content"),
            Key("file", .body, "Its content, which is read from a file"),
            Key("filename", .text, "File name; default that of the file, none without one"),
            Key("type", .text, "Content-Type of the part"),
        ],
        .slicedBody: [
            Key("body", .body, "Content of the file", required: true),
            Key("length", .bytes, "Bytes of each slice; default by what the network carries"),
            Key("parallel", .count, "How many go out at the same time; default 4"),
            Key("attempts", .count, "How often each is tried; default 5"),
            Key("state", .label, "It keeps its state under this name; a later one of that name goes on where it was"),
        ],
        .readingPause: [
            Key("at", .bytes, "After so many bytes", required: true),
            Key("until", .label, "Until this signal", required: true),
        ],
        .keep: [
            Key("resume-data-of", .label, "The task", required: true),
            Key("as", .label, "The name for `resume-data`", required: true),
        ],
        .clockChange: [
            Key("ahead", .duration, "So much later than it is"),
            Key("back", .duration, "So much earlier"),
        ],
        .answer: [
            Key(
                "challenge", .words(ChallengeMethod.allCases.map(\.rawValue)),
                "An authentication challenge; with `use` or `do`, or with `identity` for `client-certificate`"),
            Key(
                "use", .either([.words(["nothing"]), .map(.givenCredential)]),
                "Answer the challenge with credentials, or with none"),
            Key(
                "do", .words(["default", "cancel", "reject", "withhold", "trust", "evaluate"]),
                "Answer the challenge without credentials; `server-trust` also with `trust`: take the server's certificates "
                    + "as they are; `evaluate`: take them if `SecTrustEvaluateWithError` does, else cancel"),
            Key(
                "revocation", .words(RevocationPolicy.allCases.map(\.rawValue)),
                "With `do: evaluate`: also by a policy of `SecPolicyCreateRevocation`; `required`: which wants a positive "
                    + "response; `required-list`: and by a list; `asked`: which wants none"),
            Key(
                "identity", .words(["client", "client-expired", "client-stranger"]),
                "Answer `client-certificate` with this identity of `certs/`"),
            Key(
                "redirect", .either([.words(["follow", "stop", "withhold"]), .map(.rewrite)]),
                "Answer to a redirect; `withhold` never answers"),
            Key(
                "response", .words(["allow", "become-download", "cancel", "withhold"]),
                "Answer to a response; a task that becomes a download keeps its name"),
            Key("needStream", .body, "Answer to `needNewBodyStream`: what the stream gives; `none` for no stream"),
            Key(
                "delayedRequest", .either([.words(["continue", "cancel", "withhold"]), .map(.rewrite)]),
                "Answer to `willBeginDelayedRequest`"),
            Key(
                "willCache", .either([.words(["keep", "drop", "withhold"]), .map(.keptAnswer)]),
                "Answer to `willCacheResponse`; `withhold` never answers"),
            Key("proxy", .yesNo, "Only a challenge of a proxy, or only one of a server"),
            Key("task", .label, "Only for this task"),
            Key("delay", .duration, "Answer so much later"),
        ],
        .keptAnswer: [Key("body", .body, "Keep it with this body instead", required: true)],
        .rewrite: [
            Key("rewrite", .requestLine, "Go there instead", required: true),
            Key("headers", .headers, "With these fields besides the proposed ones"),
        ],
        .trigger: [
            Key("task", .label, "The task that `received` or `event` is about"),
            Key("received", .bytes, "It has been given at least so many bytes of the body"),
            Key("event", .words(EventWord.allCases.map(\.rawValue)), "It has seen such an event"),
            Key("signal", .label, "This signal was sent"),
        ],
    ]
}
