import HTTPBasics
import ServerScript
import TLSBasics

/// Decodes one case, whose variables have been replaced already.
///
/// Every part returns some value even after a mistake: with a mistake in the log the scenario is never used.
final class CaseDecoder {
    let session: DecodingSession
    var log: DiagnosticLog { session.log }

    var bodies: [(name: String, content: Content)] = []
    /// Names of bodies that are used; the others get a warning.
    var usedBodies: Set<String> = []
    var hosts: [String] = ["a.test"]
    var tls: [String: HostTLS] = [:]
    var proxies: [String: ProxyRole] = [:]
    var listenFaults: [String: Fault] = [:]
    var files: [LocalFile]?
    /// Tasks declared so far, in order, with their kinds.
    var tasks: [(label: String, kind: TaskStep.Kind)] = []
    /// Resume data kept so far.
    var tickets: [String] = []

    init(session: DecodingSession) { self.session = session }

    func decode(_ file: MappingReader, name: String?, mark: SourceMark) -> ScenarioCase {
        if let node = file.value("hosts") { hosts = decodeHosts(node) }
        if let node = file.value("bodies") { decodeBodies(node) }
        if let node = file.value("files") { files = decodeFiles(node) }
        var script = Script(hosts: hosts, listenFaults: listenFaults)
        (script.tls, script.proxies) = (tls, proxies)
        script.steps = (file.list("server") ?? []).compactMap(decodeStep)
        script.routes = (file.list("routes") ?? []).compactMap(decodeRoute)
        script.otherwise = file.value("otherwise").flatMap(decodeOtherwise)
        if let span = file.duration("round-timeout") { script.roundTimeout = span }
        script.isShared = file.yesNo("cors") ?? false
        if let reading = file.word("reading", as: Reading.self) { script.reading = reading }
        if script.reading == .lenient, file.has("client") {
            log.error(
                "'reading: lenient' is for serving: a client that is judged is read strictly",
                at: file.keyNode("reading"), remedy: "leave out 'client' and 'expect', or 'reading'")
        }
        var result = ScenarioCase(name: name, script: script, mark: mark)
        result.session = file.map("session", .session).map(decodeSession) ?? SessionOptions()
        result.diskFaults = (file.list("disk-faults") ?? []).compactMap(diskFault)
        result.gssapi = file.map("gssapi", .gssapi).map(gssapi)
        result.names = file.value("names").map(decodeNames) ?? []
        result.codings = session.codings
        result.link = file.map("link", .link).map(link)
        result.files = files ?? []
        result.client = session.spliced(file.list("client") ?? []).compactMap(decodeClientStep)
        result.expect = file.value("expect").map(decodeExpectation) ?? Expectation()
        result.schedule = file.list("schedule").map(decodeSchedule)
        result.bends = (file.list("bends") ?? []).compactMap(decodeBend)
        result.differences = file.map("differs", .differs).map { decodeDifferences($0, caseName: name) } ?? []
        return result
    }

    private func link(_ map: MappingReader) -> ScriptedLink {
        if map.entries.isEmpty { map.missing("a link has a 'latency', or a 'rate', or both") }
        map.warnOfNothing("latency")
        return ScriptedLink(latency: map.duration("latency"), rate: map.rate("rate"))
    }

    private func decodeBend(_ node: SourceNode) -> Bend? {
        guard let text = session.text(node) else { return nil }
        if let bend = Bend(text) { return bend }
        log.error("'\(text)' is no bend", at: node, remedy: "CONN:ANSWER:CHANGE, such as 0:0:content-length.0=2^63")
        return nil
    }

    private func decodeSchedule(_ nodes: [SourceNode]) -> [ScheduleEntry] {
        var entries: [ScheduleEntry] = []
        for node in nodes {
            guard let entry = decodeScheduleEntry(node) else { continue }
            if let other = entries.first(where: { $0.kind == entry.kind && $0.index == entry.index }) {
                log.error("'\(other)' decides that already", at: node)
            }
            entries.append(entry)
        }
        return entries
    }

    private func decodeScheduleEntry(_ node: SourceNode) -> ScheduleEntry? {
        guard let text = session.text(node) else { return nil }
        if let entry = ScheduleEntry(text) { return entry }
        let kind = ScheduleEntry.Kind.allCases.first { text.hasPrefix("\($0.rawValue):") }
        let kinds = ScheduleEntry.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        let remedy = kind.map { kind in
            let (least, most) = (kind.choices.lowerBound, kind.choices.upperBound)
            return kind == .chance ? "chance:0:SEED" : "\(kind):NUMBER:CHOICE, the choice \(least) to \(most), not 0"
        }
        log.error(
            "'\(text)' is no decision", at: node,
            remedy: remedy ?? "KIND:NUMBER:CHOICE, the kind one of \(kinds)")
        return nil
    }

    private func decodeHosts(_ node: SourceNode) -> [String] {
        var names: [String] = []
        for item in session.list(node, of: "host names") {
            let entry = item.isMapping ? session.map(item, .host) : nil
            guard let name = item.isMapping ? entry?.text("name") : session.text(item) else { continue }
            if let node = entry?.value("fault") { listenFaults[name] = fault(node, in: .host) }
            if let node = entry?.value("tls") { tls[name] = hostTLS(node) }
            proxies[name] = entry.flatMap(proxyRole)
            let isName = name.utf8.allSatisfy { byte in
                byte >= 97 && byte <= 122 || ASCII.isDigit(byte) || byte == 45 || byte == 46
            }
            if !isName || name.isEmpty || name.utf8.count > 253 {
                log.error("'\(name)' is not a host name", at: item, remedy: "small letters, digits, '-' and '.'")
            } else if names.contains(name) {
                log.error("host '\(name)' is listed twice", at: item)
            } else {
                names.append(name)
            }
        }
        if names.count > 16 { log.error("more than 16 hosts", at: node) }
        if names.isEmpty, !node.isBroken, node.items?.isEmpty == true { log.error("at least one host", at: node) }
        return names.isEmpty ? ["a.test"] : names
    }

    private func decodeSession(_ map: MappingReader) -> SessionOptions {
        var options = SessionOptions(
            timeoutIntervalForRequest: map.duration("timeoutIntervalForRequest"),
            timeoutIntervalForResource: map.duration("timeoutIntervalForResource"),
            httpMaximumConnectionsPerHost: map.count("httpMaximumConnectionsPerHost", in: 1...1000),
            httpAdditionalHeaders: map.value("httpAdditionalHeaders").map(headers) ?? Fields(),
            protocolRules: protocolRules(map),
            resumableUploads: map.word("resumableUploads").flatMap { Int($0) },
            maximumBodyBytesInMemory: map.value("maximumBodyBytesInMemory").flatMap {
                $0.scalar == "none" ? .max : session.size($0)
            }, delegate: map.word("delegate", as: DelegateForm.self),
            tlsMinimum: map.word("tlsMinimumSupportedProtocolVersion").flatMap(TLSVersion.init(word:)),
            tlsMaximum: map.word("tlsMaximumSupportedProtocolVersion").flatMap(TLSVersion.init(word:)))
        options.requestCachePolicy = map.word("requestCachePolicy", as: CachePolicyName.self)
        options.httpShouldUsePipelining = map.yesNo("httpShouldUsePipelining") ?? false
        options.credentials = (map.list("credentials") ?? []).compactMap(storedCredential)
        options.proxy = map.value("proxy").flatMap(sessionProxy)
        options.network = map.word("network", as: NetworkKind.self)
        options.waitsForConnectivity = map.yesNo("waitsForConnectivity") ?? false
        options.denies = denied(map)
        options.cache = map.value("cache").flatMap(cacheOptions)
        options.cookies = map.value("cookies").map(cookieOptions) ?? CookieOptions()
        options.hasCredentialStorage = map.yesNo("urlCredentialStorage") ?? true
        options.hasCredentialFile = map.yesNo("credentials-file") ?? false
        if !options.hasCredentialStorage, options.hasCredentialFile {
            log.error("without a storage there is no file of it", at: map.keyNode("credentials-file"))
        }
        if !options.hasCredentialStorage, map.has("credentials") {
            log.error("without a storage there are no credentials", at: map.keyNode("credentials"))
        }
        return options
    }

    private func storedCredential(_ node: SourceNode) -> StoredCredential? {
        guard let map = session.map(node, .storedCredential), let credentials = credentials(map) else { return nil }
        let method = map.word("method", as: ChallengeMethod.self) ?? .basic
        if method != .ntlm, method != .negotiate, !map.has("realm") {
            map.missing("a space has a 'realm', but for those of NTLM and Negotiate")
        }
        return StoredCredential(credentials, realm: map.text("realm"), method: method, host: host(map))
    }

    // MARK: - What several parts need

    /// The name of one of the case's hosts.
    func host(_ map: MappingReader) -> String? {
        guard let node = map.value("host"), let name = session.text(node) else { return nil }
        guard hosts.contains(name) else {
            let remedy = Suggestion.remedy(for: name, among: hosts)
            log.error("no host '\(name)' in 'hosts'", at: node, remedy: remedy)
            return nil
        }
        return name
    }

    /// `POST /path`; a path alone means GET.
    func requestLine(_ node: SourceNode) -> (method: String, target: String)? {
        guard let text = session.text(node, what: "a request such as GET /path") else { return nil }
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count <= 2, let target = words.last, let first = words.first else {
            log.error("'\(text)' is not a request line", at: node, remedy: "write METHOD /path, or /path for GET")
            return nil
        }
        let method = words.count == 2 ? first : "GET"
        guard !method.isEmpty, method.utf8.allSatisfy(ASCII.isTokenCharacter) else {
            log.error("'\(method)' is not a method", at: node)
            return nil
        }
        guard isTarget(target) else {
            let meant = target.first?.isLetter == true ? "did you mean '/\(target)'? " : ""
            let remedy = "\(meant)it starts with '/', or is a whole URL, or starts with $origin"
            log.error("'\(target)' is not a target", at: node, remedy: remedy)
            return nil
        }
        checkOrigins(in: target, at: node)
        checkFile(target, at: node)
        return (method, target)
    }

    private func isTarget(_ text: String) -> Bool {
        guard text.utf8.allSatisfy({ $0 > ASCII.space && $0 != 127 }) else { return false }
        return text.hasPrefix("/") || text == "*" || text.hasPrefix("$origin")
            || text.utf8.dropFirst().contains(ASCII.colon)
    }

    /// `$origin.b.test` must name a host of the case.
    func checkOrigins(in text: String, at node: SourceNode) {
        var rest = text[...]
        while let range = rest.firstRange(of: "$origin") {
            let dollars = rest[...range.lowerBound].reversed().prefix { $0 == "$" }
            rest = rest[range.upperBound...]
            guard rest.first == ".", !dollars.count.isMultiple(of: 2) else { continue }
            var name = rest.dropFirst().prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }
            while name.last == "." { name.removeLast() }
            if !name.isEmpty, !hosts.contains(String(name)) {
                let remedy = Suggestion.remedy(for: String(name), among: hosts)
                log.error("$origin.\(name): no host '\(name)' in 'hosts'", at: node, remedy: remedy)
            }
        }
    }

    /// A map of field names to a value, or to a list of values for duplicates.
    func headers(_ node: SourceNode) -> Fields {
        guard let entries = node.entries else {
            let nothing: Fields? = session.wrong(
                node, expected: "a map of header fields", remedy: "such as {Content-Type: text/plain}")
            return nothing ?? Fields()
        }
        var fields = Fields()
        for entry in entries where isFieldName(entry) {
            for item in session.oneOrMore(entry.value) {
                if let value = fieldValue(item) { fields.append(entry.key, value) }
            }
        }
        return fields
    }

    /// Names of header fields.
    func fieldNames(_ node: SourceNode) -> [String] {
        session.list(node, of: "field names").compactMap { item in
            guard let name = session.text(item) else { return nil }
            if name.isEmpty || !name.utf8.allSatisfy(ASCII.isTokenCharacter) {
                log.error("'\(name)' is not a field name", at: item)
            }
            return name
        }
    }

    func isFieldName(_ entry: SourceNode.Entry) -> Bool {
        if !entry.key.isEmpty, entry.key.utf8.allSatisfy(ASCII.isTokenCharacter) { return true }
        let remedy = "broken fields are written with 'write' or 'send: [{raw: ...}]'"
        log.error("'\(entry.key)' is not a field name", at: entry.keyNode, remedy: remedy)
        return false
    }

    func fieldValue(_ node: SourceNode) -> String? {
        guard let value = session.text(node, what: "a field value") else { return nil }
        guard !value.utf8.contains(where: { $0 == 0 || ASCII.isLineEnd($0) }) else {
            let remedy = "broken fields are written with 'write' or 'send: [{raw: ...}]'"
            log.error("a field value cannot hold line ends or NUL", at: node, remedy: remedy)
            return nil
        }
        checkOrigins(in: value, at: node)
        return value
    }

    func credentials(_ map: MappingReader) -> BasicCredentials? {
        let user = map.text("user"), password = map.text("password")
        return BasicCredentials(user: user ?? "", password: password ?? "")
    }
}
