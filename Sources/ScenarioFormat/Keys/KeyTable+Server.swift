import ServerScript
import TLSBasics

extension KeyTable {
    static let userKeys = [
        Key("user", .text, "User name", required: true),
        Key("password", .text, "Password; `show` hides it", required: true),
    ]
    private static let laneKeys = [
        Key("conn", .label, "Lane: binds the next accepted connection on first use, asserts the same one later"),
        Key("host", .text, "One of `hosts`; default the first"),
        Key("times", .count, "How often the step happens; 0 removes it; default 1"),
    ]

    private static let exchangeKeys = [
        Key(
            "request", .either([.requestLine, .words(["any"])]),
            "The request that is demanded: `GET /path`, `/path` (GET), `any /path`, `GET /items/{id}`, or `any`",
            required: true),
        Key("where", .map(.requestWhere), "Further demands on it"),
        Key(
            "read-body", .either([.words(["all", "none"]), .bytes]),
            "How much of its body is read before the answer; default `all`"),
        Key("read-rate", .rate, "How fast its body is read; default as fast as it comes"),
        Key("fault", .map(.fault), "What goes wrong in this exchange"),
        Key("faults", .list(.map(.fault)), "The same at several places; `fault` is one of these"),
        Key("set", .mapOf(.text), "Named values that it leaves for `where: {state: ...}`; an empty one is forgotten"),
        Key("count", .either([.text, .list(.text)]), "Counters that it adds one to, before it answers"),
        Key(
            "resumable", .either([.text, .map(.uploadStore)]),
            "A path: behind the head a 104 says that the upload can be continued there. A map: uploads are kept"),
    ]

    static let fieldDemands = Key(
        "headers", .fieldRules, "Fields that must be there: exactly this value, `present`, or a map: what is in it")
    static let bodyDemand = Key(
        "body", .either([.body, .map(.bodyDemand)]), "The whole body; `none` for no body; or a map: what it says")

    private static let reply = "The answer; default 200 without a body"

    /// What the server demands of requests.
    static let serverKeys: [KeyContext: [Key]] = [
        .exchange: laneKeys + exchangeKeys + [
            Key(
                "reply", .either([.words(["none"]), .map(.reply)]),
                "\(reply). `none`: steps with `write` that follow in the lane are the answer")
        ],
        .connectionStep: laneKeys + [
            Key("accept", .yesNo, "A connection is accepted here; `yes`"),
            Key("fault", .map(.fault), "For `accept`: what happens to the connection at once"),
            Key("read", .bytes, "Wait for this many raw bytes"),
            Key("write", .either([.text, .map(.rawBytes)]), "Send raw bytes outside any exchange"),
            Key("close", .words(Fault.Effect.closingWords), "End the connection"),
        ],
        .route: [
            Key("host", .text, "One of `hosts`; default the first"),
            Key("times", .count, "How often it answers before later routes do; default for ever"),
            Key(
                "cors", .yesNo,
                """
                Whether pages of other origins may read its answers, and preflights for it are answered; default: as \
                the file says
                """
            ),
        ] + exchangeKeys + [Key("reply", .map(.reply), reply)],
        .requestWhere: [
            fieldDemands,
            Key("absent", .list(.text), "Fields that must not be there"),
            Key(
                "query", .either([.words(["any"]), .itemRules]),
                "Items of the query: a value, a list of all, `present`, `none`; others may be there. `any`: any query"),
            Key("state", .mapOf(.text), "Named values that `set` has left: a value, `present`, or `none`"),
            Key(
                "count", .mapOf(.either([.count, .text])),
                "How often `count` has counted so far: a number, `at-least` or `at-most` a number"),
            Key("version", .words(["1.0", "1.1"]), "The version of HTTP"),
            Key(
                "connection", .count,
                "The connection's number in the round, in the order of their first requests, from 1"),
            Key("exchange", .count, "The request's number on its connection, from 1"),
            Key("basic", .map(.credentials), "The Basic credentials that Authorization must carry"),
            Key("digest", .map(.digestProof), "What Authorization must prove in the Digest scheme"),
            Key("ntlm", .map(.ntlmProof), "Which message of NTLM Authorization must carry"),
            Key("negotiate", .map(.negotiateProof), "Which token of Negotiate Authorization must carry"),
            bodyDemand,
            Key("body-prefix-of", .body, "The body must be a beginning of this one, of a byte at least"),
            Key("multipart", .list(.map(.multipartPart)), "The parts of a `multipart/form-data` body, in order"),
            Key(
                "slice-of", .body,
                "The part of this body that the request's Content-Range names; it counts for its target from then on"),
            Key("whole", .yesNo, "`yes`: every byte of the target has come before, under `slice-of`"),
        ],
        .fieldDemand: [
            Key("contains", .text, "This text is in the value"),
            Key("matches", .text, "This regular expression is found in the value, of at most 16 KiB"),
        ],
        .bodyDemand: [
            Key("json", .any, "The same value of JSON, however it is written; a map or a list, or JSON as text"),
            Key("json-subset", .any, "The same, with more members in its objects perhaps"),
            Key("form", .itemRules, "Items of `application/x-www-form-urlencoded`, as those of `query`"),
            Key("contains", .text, "This text is in the body"),
            Key("matches", .text, "This regular expression is found in the body, of at most 16 KiB"),
            Key("sha-256", .text, "The digest of the body, in hexadecimal digits"),
        ],
        .digestProof: userKeys + [
            Key("realm", .text, "The realm", required: true),
            Key("nonce", .text, "The server's nonce; default any"),
            Key("nc", .count, "How often the nonce was used, with this time; default any count"),
            Key(
                "algorithm", .words(DigestRule.ProofAlgorithm.allCases.map(\.rawValue)),
                "Its name; default none, for MD5"),
            Key(
                "qop", .words(DigestRule.Protection.allCases.map(\.rawValue)),
                "What is protected; `none` for the older form; default `auth`"),
            Key("opaque", .text, "What is sent back as it came; default nothing"),
            Key("userhash", .yesNo, "The user is named by a hash"),
        ],
        .ntlmProof: [
            Key("message", .words(["1", "3"]), "Which one; default 3, the proof"),
            Key("user", .text, "For message 3: the user name"),
            Key("password", .text, "For message 3: the password"),
            Key("domain", .text, "For message 3: the user's domain; default none"),
        ],
        .negotiateProof: [
            Key("user", .text, "Whom the token of `gssapi` must name", required: true),
            Key("round", .count, "Which token it must be, in answer to the server's last one; default 1, the first"),
        ],
        .multipartPart: [
            Key("name", .text, "Name of the form field", required: true),
            Key("filename", .text, "File name that it must carry"),
            Key("type", .text, "Content-Type that it must carry"),
            Key("body", .body, "Content that it must have"),
            Key("size", .bytes, "Bytes that it must have"),
            Key("sha-256", .text, "Digest that its content must have, in hexadecimal digits"),
        ],
        .uploadStore: [
            Key("below", .text, "Where upload resources are made: `/uploads/`", required: true),
            Key("of", .body, "What every upload must come to; default anything"),
            Key("max-size", .bytes, "Most bytes of an upload"),
            Key("min-size", .bytes, "What is known to be smaller cannot be continued"),
            Key("max-append-size", .bytes, "Most bytes of a request that appends"),
            Key("min-append-size", .bytes, "Fewest bytes of a request that appends, but for the last"),
        ],
    ]

    /// How the server answers, and what goes wrong.
    static let replyKeys: [KeyContext: [Key]] = [
        .reply: [
            Key(
                "status", .either([.status, .text]),
                "Default 200; 206 or 416 by itself with `range-of`; or a word such as `$request.query.code`"),
            Key("reason", .text, "Reason phrase; default the usual one"),
            Key("headers", .headers, "Sent as given; a list of values is sent as several fields"),
            Key("body", .body, "Content-Length is derived unless `headers` names one"),
            Key("range-of", .body, "This body, cut by the request's Range and If-Range"),
            Key("chunked", .either([.yesNo, .bytes]), "Chunked framing in chunks of this size; `yes` means 16KiB"),
            Key("close-delimited", .yesNo, "No length and no chunks: the connection's end ends the body"),
            Key("trailers", .headers, "Fields after the last chunk"),
            Key("interim", .list(.map(.interim)), "Informational answers before this one"),
            Key(
                "challenge", .either([.map(.challengeOffer), .list(.map(.challengeOffer))]),
                "WWW-Authenticate, a field for each; with it the status is 401 by default"),
            Key(
                "send", .list(.either([.words(["rest", "trailers", "stall"]), .map(.sendStep)])),
                "Timeline of the body; default all at once"),
            Key("send-rate", .rate, "How fast everything behind the head is sent; default at once"),
            Key("split", .either([.words(["all"]), .bytes]), "Largest segment; `all` does not split"),
            Key(
                "events", .list(.either([.words(["stall"]), .map(.sentEventStep)])),
                "Server-sent events, one after another, in place of `body` and `send`"),
            Key("delay", .either([.duration, .map(.delaySpread)]), "Wait after the request was read"),
            Key("fault", .map(.fault), "What goes wrong while answering"),
            Key("faults", .list(.map(.fault)), "The same at several places; `fault` is one of these"),
        ],
        .delaySpread: [
            Key("uniform", .list(.duration), "From the first duration to the second, each as likely"),
            Key("log-normal", .map(.logNormal), "Mostly about the median, sometimes much longer"),
        ],
        .logNormal: [
            Key("median", .duration, "Half of them are longer", required: true),
            Key("sigma", .text, "How far they spread: 0.1 to 3.0, with at most three decimals", required: true),
        ],
        .sentEventStep: [
            Key("data", .text, "The event's data; each line becomes a `data` line"),
            Key("event", .text, "Its name"),
            Key("id", .text, "Its id, which comes back as Last-Event-ID"),
            Key("retry", .duration, "How long to wait before connecting again"),
            Key("comment", .text, "A line that clients ignore"),
            Key("wait", .duration, "A pause before it, or alone"),
            Key("signal", .label, "Alone: lets all steps go on that await this name"),
            Key("await", .label, "Alone: go on when this signal has been sent"),
        ],
        .interim: [
            Key("status", .status, "102 to 199, or 100; not 101"),
            Key("headers", .headers, "Its fields"),
            Key("raw", .text, "This text in place of an informational answer"),
            Key("hex", .text, "These bytes in place of an informational answer"),
            Key("times", .count, "How many of them; default 1"),
            Key("delay", .duration, "Wait before each"),
        ],
        .challengeOffer: [
            Key("basic", .map(.basicOffer), "Ask for Basic credentials"),
            Key("digest", .map(.digestOffer), "Ask for a proof in the Digest scheme"),
            Key("ntlm", .map(.ntlmOffer), "Ask for a message of NTLM"),
            Key("negotiate", .map(.negotiateOffer), "Ask for a token of Negotiate"),
        ],
        .basicOffer: [Key("realm", .text, "The realm", required: true)],
        .digestOffer: [
            Key("realm", .text, "The realm", required: true),
            Key("nonce", .text, "What is to be hashed with the password", required: true),
            Key("qop", .list(.text), "What may be protected; default `[auth]`, `[]` for the older form"),
            Key("algorithm", .text, "Its name; default none, for MD5"),
            Key("opaque", .text, "What must be sent back as it is"),
            Key("stale", .yesNo, "The credentials were right, their nonce was not"),
            Key("userhash", .yesNo, "The user may be named by a hash"),
            Key("charset", .text, "What names are encoded in, such as `UTF-8`"),
            Key("domain", .text, "URLs that the credentials are good for, with blanks between"),
        ],
        .ntlmOffer: [
            Key("nonce", .text, "Message 2 with these 16 hexadecimal digits; without it the scheme alone is named"),
            Key("target", .text, "The domain that message 2 names; default `OFFICE`"),
            Key("time", .yesNo, "Message 2 says the server's clock, so that the client has to protect all messages"),
            Key("token", .text, "This text in place of message 2"),
        ],
        .negotiateOffer: [
            Key("token", .text, "The server's own token; without it the scheme alone is named")
        ],
        .sendStep: [
            Key("bytes", .bytes, "The next bytes of the body"),
            Key("wait", .duration, "A pause"),
            Key("chunk", .bytes, "The next bytes of the body as one chunk; needs `chunked`"),
            Key("size-line", .text, "For `chunk`: sent in place of its size, such as `5;name=value` or a lie"),
            Key("raw", .text, "This text as it is, outside all framing"),
            Key("hex", .text, "These bytes as they are, outside all framing"),
            Key("split", .bytes, "From here on at most so many bytes in one segment"),
            Key("signal", .label, "Lets all steps go on that await this name"),
            Key("await", .label, "Go on when this signal has been sent"),
            Key("repeat", .count, "Do the steps of `do` so many times"),
            Key(
                "do", .list(.either([.words(["rest", "trailers", "stall"]), .map(.sendStep)])), "What `repeat` repeats"),
        ],
        .fault: [
            Key("at", .landmark, "Where it strikes", required: true),
            Key(
                "do", .either([.words(Fault.Effect.words.map(\.word)), .map(.effect)]), "What happens", required: true),
            Key(
                "probability", .percent,
                "How often it happens, drawn from the run's seed for each request; default 100%"),
            Key(
                "layer", .words(["proxy"]),
                "Of what is done to TLS: to that of the proxy on the way, and not to that of the host within it"),
        ],
        .effect: [
            Key("delay", .duration, "A pause, then things go on"),
            Key(
                "alert", .words(TLSAlert.allNames),
                "Where TLS is spoken: this alert, then FIN; in clear in a handshake, protected later"),
        ],
    ]
}
