extension KeyTable {
    /// What a session keeps: its cache, its cookies, and those that it has in the end.
    static let cookieKeys: [KeyContext: [Key]] = [
        .sessionCookies: [
            Key(
                "policy", .words(CookieOptions.Policy.allCases.map(\.rawValue)),
                "`httpCookieAcceptPolicy`; default `onlyFromMainDocumentDomain`"),
            Key("send", .yesNo, "`httpShouldSetCookies`; default `yes`"),
            Key(
                "answers-after", .duration,
                "Its storage is a subclass, which is asked and told, and answers and keeps so much later"),
            Key("jar", .list(.map(.givenCookie)), "What its storage has before the first task"),
        ],
        .sessionCache: [
            Key("memory", .bytes, "Its `memoryCapacity`; default 4MiB"),
            Key("disk", .bytes, "Its `diskCapacity`; default 0"),
            Key(
                "answers-after", .duration,
                "It is a subclass, which is asked and told, and answers and keeps so much later"),
        ],
        .givenCookie: [
            Key("name", .text, "Its name", required: true),
            Key("value", .text, "Its value", required: true),
            Key("path", .text, "Its path; default `/`"),
            Key("host", .text, "One of `hosts`, to which alone it goes; default the first"),
            Key("domain", .text, "In place of `host`: with a dot in front all hosts of it"),
            Key("secure", .yesNo, "Whether it goes over TLS only; default `no`"),
            Key("lives", .duration, "How long, from when the session is made; default: as long as that"),
        ],
        .cookie: [
            Key("name", .text, "Its name", required: true),
            Key("value", .text, "Its value"),
            Key("path", .text, "Its path"),
            Key("host", .text, "One of `hosts`, to which alone it goes"),
            Key("domain", .text, "Its `domain`: one that goes to all hosts of it begins with a dot"),
            Key("secure", .yesNo, "Whether it goes over TLS only"),
            Key("http-only", .yesNo, "Its `isHTTPOnly`"),
            Key("same-site", .words(["strict", "lax", "none"]), "Its `sameSitePolicy`; `none` for nil"),
            Key(
                "expires", .either([.durationRange, .words(["session"])]),
                "How long after the end of the case, or `session`: it has no date"),
        ],
    ]
}
