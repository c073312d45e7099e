import MachineContract
import ServerScript
import TLSBasics

extension KeyTable {
    /// The file itself, and what is shared by its parts.
    private static let tlsVersions = ValueKind.words(TLSVersion.allCases.map(\.word))

    static let fileKeys: [KeyContext: [Key]] = [
        .scenario: [
            Key("scenario", .text, "The id: the path below the scenarios' folder, without the ending. May be left out"),
            Key("about", .text, "One sentence: what the scenario proves"),
            Key("rows", .list(.text), "Rows of Documentation/BEHAVIOUR.md that it proves, such as `1.C1` or `2.I17`"),
            Key("refs", .list(.text), "Other sources: RFC sections, documentation pages"),
            Key("kind", .words(Scenario.Kind.allCases.map(\.rawValue)), "How binding it is; default `must`"),
            Key("tags", .list(.label), "Words to select scenarios by"),
            Key("needs", .map(.needs), "Where the scenario makes sense; default: everywhere"),
            Key("clock", .words(["virtual"]), "`virtual` is short for `needs: {world: simulated}`"),
            Key("vars", .mapOf(.any), "Variables of the whole file; a later one may use an earlier one"),
            Key("cases", .list(.mapOf(.any)), "Rows of variables; the scenario is run once for each"),
            Key(
                "matrix", .mapOf(.list(.any)), "Variables with several values; the scenario is run for each combination"
            ),
            Key("bodies", .mapOf(.either([.text, .map(.bodyDefinition)])), "Bodies with a name"),
            Key(
                "hosts", .list(.either([.text, .map(.host)])), "Names of the server's listeners; default `[a.test]`"),
            Key(
                "names",
                .mapOf(
                    .either([
                        .words(ScriptedName.answerWords.map(\.word) + [ScriptedName.systemWord]), addresses,
                        .map(.name),
                    ])),
                "What names of hosts resolve to: addresses, in the resolver's order; `unknown`, or `never` an answer; "
                    + "`system`: its URL names `localhost`, which the system resolves; default one IPv4 address that answers"
            ),
            Key(
                "link", .map(.link),
                "What lies between clients and hosts, in the simulated world; default next to nothing"),
            Key("session", .map(.session), "Configuration of the session"),
            Key("disk-faults", .list(.map(.diskFault)), "What goes wrong with the files of downloads, and of a cache"),
            Key(
                "gssapi", .map(.gssapi),
                "The GSSAPI of the client's system, which makes tokens of Negotiate; default: there is none"),
            Key(
                "files", .mapOf(.body),
                "Files that requests name: `GET file:notes.txt`. Others are missing; `file:.` is their folder"),
            Key(
                "server", .list(.either([.map(.exchange), .map(.connectionStep), .words(["accept"])])),
                "The script: steps consumed in order, all of them"),
            Key("routes", .list(.map(.route)), "Answers given any number of times; the first that matches wins"),
            Key(
                "otherwise", .map(.reply), "The answer to what nothing else matches; default: the request is a failure"),
            Key(
                "round-timeout", .duration,
                "`understudy serve` gives a round up when nothing has happened in its steps for so long; default `10s`"),
            Key(
                "reading", .words(Reading.allCases.map(\.rawValue)),
                "`lenient`: `understudy serve` notes what many clients do wrong in a head, in place of refusing it; "
                    + "default `strict`"),
            Key("cors", .yesNo, "`yes`: pages of other origins may read all answers, and preflights are answered"),
            Key("client", .list(.either([.map(.task), .map(.clientStep)])), "What the caller does, in order"),
            Key("expect", .map(.expectation), "What must be seen"),
            Key(
                "schedule", .list(.text),
                "Decisions of the simulated world that are not the plain ones, such as `turn:17:2`; exploration writes them"
            ),
            Key(
                "bends", .list(.text),
                "What is done to the server's answers on their way, such as `0:0:content-length.0=2^63`; exploration writes them"
            ),
            Key("differs", .map(.differs), "Which other clients are known not to conform, and how"),
        ],
        .link: [
            Key("latency", .duration, "How long everything travels one way; default 100us"),
            Key("rate", .rate, "How much of each connection goes in each direction; default all at once"),
        ],
        .gssapi: [
            Key("ticket", .text, "Whose ticket the process has; default nobody's"),
            Key("users", .mapOf(.text), "Names of users with their passwords, as the ticket server knows them"),
            Key("rounds", .count, "How many tokens it has to say; default 1"),
            Key("takes", .duration, "How long each call takes; default no time"),
            Key("refuses", .list(.text), "Tokens of a server that it takes for forged"),
        ],
        .differs: ClientName.others.map { client in
            Key(
                client.rawValue, .either([.map(.difference), .list(.map(.difference))]),
                "What the URLSession of the Swift toolchain does otherwise: one entry, or several")
        },
        .difference: [
            Key(
                "verdict", .words(KnownDifference.Kind.allCases.map(\.rawValue)),
                "`different`: another answer than the expected one; `broken`: one that a clause of a standard or of its "
                    + "own documentation forbids; `crashed`; `wedged`: never comes to its end; `flaky`: now so, now so",
                required: true),
            Key(
                "seen", .either([.text, .list(.text)]),
                "For `different` and `broken`: all that is found, as the report of a run says it"),
            Key(
                "may", .list(.words(KnownDifference.Outcome.allCases.map(\.rawValue))),
                "For `flaky`: what may become of it; `hang`: it may never come to its end"),
            Key("cases", .list(.text), "Names of the cases that it holds for, or globs; default all"),
            Key("styles", .list(.words(Style.allCases.map(\.rawValue))), "Styles that it holds for; default all"),
            Key("because", .text, "Why, in one sentence; `TODO`, as `records.yaml` has it, is refused", required: true),
            Key(
                "against", .text,
                "For `broken`: the clause, such as `RFC 9110 9.2.2: SHOULD NOT retry`, or `documentation of X: ...`"),
        ],
        .needs: [
            Key(
                "world",
                .either([
                    .words(WorldName.allCases.map(\.rawValue)), .list(.words(WorldName.allCases.map(\.rawValue))),
                ]),
                "Worlds that can run it; default: both"),
            Key("styles", .list(.words(Style.allCases.map(\.rawValue))), "Styles that it makes sense in; default: all"),
            Key(
                "codings", .list(.words(SystemCoding.allCases.map(\.rawValue))),
                "Content codings that the machine must have libraries for; the client knows these besides gzip and deflate"
            ),
        ],
        .host: [
            Key("name", .text, "Its name", required: true),
            Key("fault", .map(.fault), "At `listen`: connects are refused (`reset`) or never answered (`stall`)"),
            Key(
                "tls", .either([.words(CertificatePreset.allCases.map(\.rawValue)), .map(.hostTLS)]),
                "It speaks TLS, with this certificate of `certs/` or in this way; its URLs are `https`"),
            Key(
                "role", .words(["http-proxy", "socks-proxy"]),
                "It leads to the other hosts, faults at `listen` or not. `http-proxy`: a request with an absolute URL is "
                    + "for the steps and routes of this host (`GET $origin.b.test/a`), else for those of the host that it "
                    + "names; CONNECT (`CONNECT $origin.b.test`) is answered with 200, and then the connection is one to "
                    + "that host. Where this host asks for credentials they are a proxy's"),
            Key("socks", .map(.socksProxy), "How a `socks-proxy` behaves; default: it lets everyone through"),
        ],
        .socksProxy: [
            Key("version", .words(["4", "5"]), "The version that it speaks; default: both"),
            Key("credentials", .map(.credentials), "What a client must know; of version 4 the name counts alone"),
            Key("code", .count, "Its answer to the request: a reply code, in place of success"),
            Key("greeting", .either([.text, .map(.rawBytes)]), "Bytes in place of its answer to the methods offered"),
            Key("login", .either([.text, .map(.rawBytes)]), "The same to user name and password"),
            Key(
                "request", .either([.text, .map(.rawBytes)]),
                "The same to the request; it is let through if the second byte says so"),
            Key("fault", .map(.socksFault), "What goes wrong before the request is let through"),
        ],
        .socksFault: [
            Key(
                "at", .text, "`greeting`, `login` or `request`, and behind how many bytes of its answer: `request+4`",
                required: true),
            Key(
                "do", .either([.words(Fault.Effect.words.map(\.word)), .map(.effect)]),
                "What happens there: `fin`, `reset`, `stall`, `garbage`, or a delay", required: true),
        ],
        .sessionProxy: [
            Key("http", .text, "The host that `http` URLs go through"),
            Key("https", .text, "The host that `https` URLs go through"),
            Key("socks", .text, "The host that what has no other goes through"),
            Key("socks-version", .words(["4", "5"]), "Default 5"),
            Key("credentials", .map(.credentials), "User and password for proxies that ask"),
            Key(
                "https-credentials", .map(.credentials),
                "Those for the proxy of `https` URLs, in place of `credentials`; by variables only"),
            Key("exceptions", .list(.text), "Hosts that are asked directly"),
            Key("exclude-simple-names", .yesNo, "Hosts without a dot are asked directly; default `no`"),
            Key(
                "by", .words(SessionProxy.Telling.allCases.map(\.rawValue)),
                "How the session is told: by `connectionProxyDictionary`, in its usual or its `legacy` keys; by variables "
                    + "of the environment, in small letters or in `capitals`; `empty-dictionary`: by variables and by a "
                    + "dictionary that says no; `disabled`: by a dictionary that switches each off; default `dictionary`"
            ),
        ],
        .hostTLS: [
            Key(
                "certificate", .words(CertificatePreset.allCases.map(\.rawValue)),
                "What it shows of itself; default `valid`"),
            Key(
                "staple", .words(StaplePreset.allCases.map(\.rawValue)),
                "The OCSP response that it brings along, an hour old and good for a week, for clients that ask for it; "
                    + "`good` and `revoked` are signed by the authority, `delegated` is good and signed by its responder, "
                    + "`wrong-signer` by a stranger, `wrong-usage` by another server; `wrong-certificate`: about another "
                    + "one; `malformed`: no response"),
            Key("versions", .list(tlsVersions), "The versions that it speaks, without gaps; default `[1.2, 1.3]`"),
            Key(
                "client-certificate", .words(["optional", "required", "refused"]),
                "Whether it wants a certificate; `refused`: and refuses whichever it gets. It takes those that "
                    + "`client-authority` has signed"),
            Key(
                "alert", .words(TLSAlert.refusals.map(\.description)), "What `refused` says; default `bad_certificate`"),
            Key("tickets", .count, "How many sessions a client is given to go on with; default 2"),
            Key("protocols", .list(.text), "What it can speak over TLS, the best first; default `[http/1.1]`"),
            Key(
                "ciphers", .list(.words(CipherSuite.allCases.map(\.rawValue))),
                "The cipher suites that it takes, the best first; if none is of TLS 1.3, or none of those below it, there"
                    + " the usual ones"),
            Key("fault", .map(.handshakeFault), "What goes wrong while a connection is secured"),
            Key(
                "record-size", .count,
                "The most bytes that one record protects, from 1, of the first 64 KiB; default 1,400 of the first 8 KiB"
                    + " behind a request, and of the rest as many as go in"),
        ],
        .handshakeFault: [
            Key(
                "at", .text,
                "Where it strikes: `client-hello`, before any answer; `server-hello+40`, after so many bytes of the "
                    + "first flight; `finished+0`, when the client is through, after so many bytes of the last one, an alert "
                    + "behind the record that they end in",
                required: true),
            Key(
                "do", .either([.words(HandshakeFault.Effect.words.map(\.word)), .map(.effect)]),
                "What happens there; `flood`: a mebibyte of noise behind the flight; `split`: from there on 16 KiB "
                    + "come byte by byte", required: true),
            Key(
                "delay", .duration,
                "With `split`: a pause behind each of these bytes; then only the handshake comes so, with the tickets of "
                    + "TLS 1.3, and what follows it as usual"),
            Key(
                "connection", .count,
                "Which connection to the host it strikes, from 1 in each round; it has to come. Default: each that comes"
            ),
        ],
        .session: [
            Key("timeoutIntervalForRequest", .duration, "Longest silence; default 60s"),
            Key("timeoutIntervalForResource", .duration, "Longest time for a whole task; default 7d"),
            Key(
                "requestCachePolicy", .words(CachePolicyName.allCases.map(\.rawValue)),
                "For requests without a policy of their own; default `useProtocolCachePolicy`"),
            Key("httpMaximumConnectionsPerHost", .count, "Default 6"),
            Key("httpAdditionalHeaders", .headers, "Fields for every request that does not set them"),
            Key("httpShouldUsePipelining", .yesNo, "Whether it asks for pipelining, of which there is none"),
            Key(
                "maximumBodyBytesInMemory", .either([.size, .words(["none"])]),
                "Largest body for a handler or an async caller; default 2GiB"),
            Key("tlsMinimumSupportedProtocolVersion", tlsVersions, "Default 1.2"),
            Key("tlsMaximumSupportedProtocolVersion", tlsVersions, "Default 1.3"),
            Key("resumableUploads", .words(["3", "5", "6"]), "Uploads offer to be continued, in this interop version"),
            Key(
                "delegate", .words(DelegateForm.allCases.map(\.rawValue)),
                "How its delegate is written, which there is then in every style: `bare` hears results only and is asked "
                    + "nothing, `async` answers in asynchronous methods, `forwarding` hands each call on to an object that does "
                    + "and has no other method, `both-levels` has the session-level method about challenges, too, and "
                    + "none about metrics; default `full`"),
            Key(
                "proxy", .either([.text, .map(.sessionProxy)]),
                "Its proxies among `hosts`; a name alone means all that it can do by its `role`"),
            Key("credentials", .list(.map(.storedCredential)), "What its storage of credentials has, as defaults"),
            Key("urlCredentialStorage", .yesNo, "`no`: it has no storage of credentials"),
            Key(
                "cookies", .either([.words(["off"]), .map(.sessionCookies)]),
                "What it does with cookies, in a storage of its own; `off`: it has none"),
            Key(
                "network", .words(NetworkKind.allCases.map(\.rawValue)),
                "The machine's network at first; default `online`. The hosts answer in any case"),
            Key("waitsForConnectivity", .yesNo, "Whether tasks wait for a network; default `no`"),
            Key(
                "denies", .list(.words(DeniedNetwork.allCases.map(\.rawValue))),
                "Networks that its requests do not go out on: `allowsCellularAccess` and the like are false"),
            Key(
                "cache", .either([.words(["memory", "disk"]), .map(.sessionCache)]),
                "Its `urlCache`, which all sessions of the case have; without it they have none. `disk` keeps answers in "
                    + "a directory, and nothing in memory; another session finds there what is left"),
            Key(
                "credentials-file", .yesNo,
                "Its storage keeps permanent credentials in a file, where another session of the case finds them"),
            Key(
                "protocol", .list(.map(.protocolRule)),
                "What a `URLProtocol` class in `protocolClasses` answers; what is not listed it leaves to the session"),
        ],
        .protocolRule: [
            Key(
                "request", .requestLine, "What it answers, with the absolute URL or a path on the first host",
                required: true),
            Key("has", .headers, "Fields that the object's request must have; without them it fails with `badURL`"),
            Key("absent", .list(.text), "Fields that it must not have; with one of them it fails with `badURL`"),
            Key("canonical", .text, "`canonicalRequest` leads to this target instead, and the object answers that"),
            Key("status", .status, "Default 200; for `redirect` 302"),
            Key("headers", .headers, "Fields of its response"),
            Key("body", .body, "Its body"),
            Key("redirect", .requestLine, "It calls `wasRedirectedTo` instead"),
            Key("error", .text, "Name of the `URLError.Code` that it fails with; behind the body, if it has one"),
            Key("stall", .yesNo, "It never comes to an end; default `no`"),
            Key(
                "marked", .yesNo,
                "For `redirect`: the new request has a property, and the class leaves what has it to the session"),
            Key(
                "calls", .list(.words(ProtocolRule.Call.allCases.map(\.rawValue))),
                "What it tells its client, in place of response, data and end: `nothing` is data without a byte, `cached` "
                    + "`cachedResponseIsValid`"),
            Key(
                "keep", .words(ProtocolRule.Keeping.allCases.map(\.rawValue)),
                "Where the session's cache may keep its answer; default `never`"),
            Key(
                "kept", .list(.words(ProtocolRule.Call.allCases.map(\.rawValue))),
                "What it tells its client when it is given a `cachedResponse`, which `cached` stands for then; default: the "
                    + "same as without one"),
            Key(
                "challenge", .text,
                "The realm of a Basic challenge that it asks first; without credentials it answers 401"),
            Key(
                "withdrawn", .duration,
                "So much later it takes the challenge back with `didCancel`, and answers after as much time again; an answer "
                    + "to the challenge that comes in between is its failure"),
        ],
        .diskFault: [
            Key(
                "at", .text,
                "Where it strikes: `open`; `write+40000`, where so many bytes still get into the file; `close`; of a cache's "
                    + "file `read+40000`, where so many bytes of the body still come out",
                required: true),
            Key(
                "do", .either([.words(DiskFault.words.map(\.word)), .map(.effect)]),
                "What happens: no space, no permission, a broken disk; `altered`, where the byte that comes out of `read` "
                    + "there is not the one that was written; or every action from there on takes so long",
                required: true),
        ],
        .name: [
            Key("addresses", addresses, "What it resolves to"),
            Key("v6", answer, "When the answer about IPv6 comes, or that it never does, or says no"),
            Key("v4", answer, "The same for IPv4"),
        ],
        .lateAddress: [
            Key("v6", .duration, "An IPv6 address that answers so much later; simulated only"),
            Key("v4", .duration, "The same for IPv4"),
        ],
        .bodyDefinition: [
            Key("text", .text, "The bytes of this text, in UTF-8"),
            Key("json", .any, "A value of JSON as text: a map or a list, or JSON as text"),
            Key("hex", .text, "These bytes, as hexadecimal digits; spaces are ignored"),
            Key(
                "pattern", .words(["counter", "random", "fill"]),
                "Generated: `counter` spells offsets, `random` is incompressible, `fill` repeats one byte"),
            Key("size", .size, "For `pattern`: how much of it"),
            Key("seed", .count, "For `random`: where it starts; default 0"),
            Key("byte", .count, "For `fill`: the byte, 0 to 255; default 0"),
            Key("file", .text, "A file in the scenario's folder, at most 16MiB"),
            Key("gzip-of", .body, "Another body, compressed"),
            Key(
                "damage", .words(Content.Damage.allCases.map(\.rawValue)),
                "For a compressed body: its second half is missing, or its checksum or length is wrong"
            ),
            Key("deflate-of", .body, "Another body, compressed, with zlib's frame (RFC 1950)"),
            Key("raw-deflate-of", .body, "Another body, compressed, without a frame (RFC 1951)"),
            Key("brotli-of", .body, "Another body, compressed with brotli (RFC 7932); `needs: {codings: [br]}`"),
            Key("zstd-of", .body, "Another body, compressed with zstd (RFC 8878); `needs: {codings: [zstd]}`"),
        ],
        .credentials: userKeys,
        .storedCredential: userKeys + [
            Key("realm", .text, "The realm of its space; there is none in those of NTLM and Negotiate"),
            Key(
                "method", .words(["basic", "digest", "ntlm", "negotiate"]), "The method of its space; default `basic`"),
            Key("host", .text, "One of `hosts`; default the first"),
        ],
        .givenCredential: userKeys + [
            Key(
                "persistence", .words(["none", "session", "permanent"]),
                "`none`: it serves the task alone that asked for it; default `session`")
        ],
        .rawBytes: [
            Key("text", .text, "The bytes of this text; in double quotes `\\r\\n` ends a line"),
            Key("hex", .text, "These bytes, as hexadecimal digits; spaces are ignored"),
        ],
    ]
    /// `v6` and `v4` answer; others never do, refuse, or are not to be reached (simulated only).
    private static let addresses = ValueKind.list(
        .either([.words(ScriptedName.placeWords.map(\.word)), .map(.lateAddress)]))

    private static let answer = ValueKind.either([.duration, .words(ScriptedName.answerWords.map(\.word))])
}
