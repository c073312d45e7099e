import HTTPBasics
import MachineContract
import ServerScript

/// Writes a scenario as `understudy show` shows it: every case expanded, variables and named bodies replaced.
///
/// The page is in the words of the format itself; a scenario of one case reads back to the same values, apart from
/// secrets (`Secrets`), which are hidden, and bodies too long to show.
package struct ScenarioPrinter {
    /// A page for people hides passwords and shortens bodies; a file to be played again needs all of it.
    let isForPlaying: Bool

    static let hidden = ShownValue.quoted(Secrets.mark)

    package static func show(_ scenario: Scenario) -> String { ScenarioPrinter(isForPlaying: false).page(scenario) }

    /// A file that decodes to the same scenario: nothing is hidden or shortened.
    package static func file(_ scenario: Scenario) -> String { ScenarioPrinter(isForPlaying: true).page(scenario) }

    private func page(_ scenario: Scenario) -> String {
        var lines = head(scenario).lines(indent: 0)
        for scenarioCase in scenario.cases {
            if scenarioCase.name != nil { lines += ["", "# \(scenario.id(of: scenarioCase))"] }
            lines += show(scenarioCase).lines(indent: 0)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// What all cases share; no variable reaches it.
    private func head(_ scenario: Scenario) -> ShownValue {
        func list(_ texts: [String]) -> ShownValue? { texts.isEmpty ? nil : .list(texts.map { .verbatim($0) }) }
        let needs = ShownValue.fields([
            ("world", list(scenario.needs.worlds.map(\.rawValue))),
            ("styles", list(scenario.needs.styles.map(\.rawValue))),
            ("codings", list(scenario.needs.codings.map(\.rawValue))),
        ])
        return .fields([
            ("scenario", .verbatim(scenario.id)),
            ("about", scenario.about.isEmpty ? nil : .verbatim(scenario.about)),
            ("rows", list(scenario.rows)),
            ("refs", list(scenario.refs)),
            ("kind", scenario.kind == .must ? nil : .word(scenario.kind.rawValue)),
            ("tags", list(scenario.tags)),
            ("needs", needs.isEmpty ? nil : needs),
        ])
    }

    private func link(_ link: ScriptedLink) -> ShownValue {
        .fields([("latency", link.latency.map(duration)), ("rate", link.rate.map(rate))])
    }

    private func show(_ scenarioCase: ScenarioCase) -> ShownValue {
        let script = scenarioCase.script
        var entries: [(String, ShownValue?)] = [
            ("hosts", hosts(script)),
            ("names", names(scenarioCase.names)),
            ("link", scenarioCase.link.map(link)),
            ("session", session(scenarioCase.session)),
            (
                "disk-faults",
                scenarioCase.diskFaults.isEmpty ? nil : .list(scenarioCase.diskFaults.map(diskFault))
            ),
            ("gssapi", scenarioCase.gssapi.map(gssapi)),
            (
                "files",
                scenarioCase.files.isEmpty ? nil : .map(scenarioCase.files.map { ($0.name, body($0.content)) })
            ),
            ("server", script.steps.isEmpty ? nil : .list(script.steps.map(step))),
            ("routes", script.routes.isEmpty ? nil : .list(script.routes.map(route))),
            ("otherwise", script.otherwise.map(reply)),
            (
                "round-timeout",
                script.roundTimeout == Script().roundTimeout ? nil : .word(ScenarioPrinter.text(script.roundTimeout))
            ),
            ("cors", script.isShared ? .word("yes") : nil),
            ("reading", script.reading == .strict ? nil : .word(script.reading.rawValue)),
        ]
        if script.steps.isEmpty, script.routes.isEmpty, script.otherwise == nil {
            entries.append(("server", .list([])))
        }
        if !scenarioCase.client.isEmpty {
            entries.append(("client", .list(scenarioCase.client.map(clientStep))))
            let expect = expectation(scenarioCase.expect)
            entries.append(("expect", expect.isEmpty ? nil : expect))
            entries.append(("differs", differences(scenarioCase.differences)))
        }
        let bends = scenarioCase.bends.map { ShownValue.text($0.description) }
        entries.append(("bends", bends.isEmpty ? nil : .list(bends)))
        entries.append(("schedule", scenarioCase.schedule.map { .list($0.map { .word($0.description) }) }))
        return .fields(entries)
    }

    private func hosts(_ script: Script) -> ShownValue? {
        if script.hosts == ["a.test"], script.listenFaults.isEmpty, script.tls.isEmpty, script.proxies.isEmpty {
            return nil
        }
        return .list(
            script.hosts.map { host in
                let entries: [(String, ShownValue?)] =
                    [
                        ("fault", script.listenFaults[host].map(fault)), ("tls", script.tls[host].map(tls)),
                    ] + proxy(script.proxies[host])
                let properties = ShownValue.fields(entries)
                return properties.isEmpty ? .text(host) : .fields([("name", .text(host))] + entries)
            })
    }

    private func diskFault(_ fault: DiskFault) -> ShownValue {
        let word = DiskFault.words.first { $0.effect == fault.effect }?.word
        var effect = ShownValue.word(word ?? "")
        if case .delay(let span) = fault.effect { effect = .map([("delay", duration(span))]) }
        let place =
            switch fault.landmark {
            case .open: "open"
            case .write(let first): "write+\(size(Int(first)).flow)"
            case .close: "close"
            case .read(let first): first == 0 ? "read" : "read+\(size(Int(first)).flow)"
            }
        return .map([("at", .word(place)), ("do", effect)])
    }

    private func session(_ options: SessionOptions) -> ShownValue? {
        let value = ShownValue.fields([
            ("timeoutIntervalForRequest", options.timeoutIntervalForRequest.map(duration)),
            ("timeoutIntervalForResource", options.timeoutIntervalForResource.map(duration)),
            ("requestCachePolicy", options.requestCachePolicy.map { .word($0.rawValue) }),
            ("httpMaximumConnectionsPerHost", options.httpMaximumConnectionsPerHost.map(number)),
            ("httpAdditionalHeaders", fields(options.httpAdditionalHeaders)),
            ("httpShouldUsePipelining", options.httpShouldUsePipelining ? .word("yes") : nil),
            (
                "protocol",
                options.protocolRules.isEmpty ? nil : .list(options.protocolRules.map(protocolRule))
            ),
            (
                "maximumBodyBytesInMemory",
                options.maximumBodyBytesInMemory.map { $0 == .max ? .word("none") : size($0, bare: false) }
            ),
            ("tlsMinimumSupportedProtocolVersion", options.tlsMinimum.map { .word($0.word) }),
            ("tlsMaximumSupportedProtocolVersion", options.tlsMaximum.map { .word($0.word) }),
            ("resumableUploads", options.resumableUploads.map { .word(String($0)) }),
            ("proxy", options.proxy.map(proxy)),
            ("delegate", options.delegate.map { .word($0.rawValue) }),
            ("credentials", options.credentials.isEmpty ? nil : .list(options.credentials.map(stored))),
            ("credentials-file", options.hasCredentialFile ? .word("yes") : nil),
            ("urlCredentialStorage", options.hasCredentialStorage ? nil : .word("no")),
            ("network", options.network.map { .word($0.rawValue) }),
            ("waitsForConnectivity", options.waitsForConnectivity ? .word("yes") : nil),
            ("denies", denied(options.denies)),
            ("cookies", cookies(options.cookies)), ("cache", options.cache.map(cache)),
        ])
        return value.isEmpty ? nil : value
    }

    func denied(_ networks: [DeniedNetwork]) -> ShownValue? {
        networks.isEmpty ? nil : .list(networks.map { .word($0.rawValue) })
    }

    private func stored(_ credential: StoredCredential) -> ShownValue {
        .fields(
            shown(credential.credentials) + [
                ("realm", credential.realm.map { .text($0) }),
                ("method", credential.method == .basic ? nil : .word(credential.method.rawValue)),
                ("host", credential.host.map { .text($0) }),
            ])
    }

    private func protocolRule(_ rule: ProtocolRule) -> ShownValue {
        var entries: [(String, ShownValue?)] = [
            ("request", url("\(rule.method) \(rule.target)")), ("canonical", rule.canonicalTarget.map(url)),
            ("has", rule.has.isEmpty ? nil : fields(rule.has)), ("absent", texts(rule.absent)),
        ]
        switch rule.answer {
        case .failure(let name): entries.append(("error", .word(name)))
        case .redirect(let status, let next):
            entries += [
                ("status", number(status)), ("redirect", url("\(next.method) \(next.target)")),
                ("marked", next.isMarked ? .word("yes") : nil),
            ]
        case .response(let status, let fields, let body, let end):
            entries += [("status", number(status)), ("headers", self.fields(fields)), ("body", body.map(self.body))]
            switch end {
            case .finish: break
            case .stall: entries.append(("stall", .word("yes")))
            case .failure(let name): entries.append(("error", .word(name)))
            }
        }
        entries += [
            ("calls", calls(rule.calls)), ("keep", rule.keep == .never ? nil : .word(rule.keep.rawValue)),
            ("kept", calls(rule.kept)),
            ("challenge", rule.realm.map { .text($0) }), ("withdrawn", rule.withdrawal.map(duration)),
        ]
        return .fields(entries)
    }

    private func calls(_ list: [ProtocolRule.Call]?) -> ShownValue? {
        list.map { .list($0.map { .word($0.rawValue) }) }
    }

    // MARK: - Small values

    func texts(_ list: [String]) -> ShownValue? { list.isEmpty ? nil : .list(list.map { .text($0) }) }

    func number(_ value: Int) -> ShownValue { .word(String(value)) }

    /// A number of bytes, with the unit that makes it short.
    func size(_ value: Int, bare: Bool = true) -> ShownValue {
        for (factor, unit) in [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"), (1_000_000, "MB"), (1000, "KB")]
        where value >= factor && value.isMultiple(of: factor) && (factor.isMultiple(of: 1024) || !bare) {
            return .word("\(value / factor)\(unit)")
        }
        return .word(bare ? "\(value)" : "\(value)B")
    }

    func rate(_ value: Int) -> ShownValue { .word(size(value, bare: false).flow + "/s") }

    func duration(_ span: Duration) -> ShownValue { .word(ScenarioPrinter.text(span)) }

    /// `2s`, `300ms`.
    static func text(_ span: Duration) -> String {
        let milliseconds = span.milliseconds
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
    }

    func isHidden(_ fieldName: String) -> Bool {
        !isForPlaying && Secrets.isSecret(field: fieldName)
    }

    /// Duplicates become one entry with a list, in the place of the first.
    func fields(_ fields: Fields) -> ShownValue? {
        var names: [String] = []
        for field in fields.list where !names.contains(field.name) { names.append(field.name) }
        guard !names.isEmpty else { return nil }
        return .map(
            names.map { name in
                let values = fields.list.filter { $0.name == name }.map { field -> ShownValue in
                    isHidden(name) ? ScenarioPrinter.hidden : value(field.value)
                }
                return (name, values.count == 1 ? values[0] : .list(values))
            })
    }

    func value(_ text: String) -> ShownValue { url(text) }

    /// A target, a URL or text with one.
    func url(_ text: String) -> ShownValue { .text(isForPlaying ? text : Secrets.shown(text)) }

    func credentials(_ credentials: BasicCredentials) -> ShownValue {
        .fields(shown(credentials))
    }

    func shown(_ credentials: BasicCredentials) -> [(String, ShownValue?)] {
        let password = isForPlaying ? .text(credentials.password) : ScenarioPrinter.hidden
        return [("user", .text(credentials.user)), ("password", password)]
    }

    // MARK: - Bodies

    private var longestText: Int { isForPlaying ? .max : 400 }
    private var longestHex: Int { isForPlaying ? .max : 64 }

    func body(_ content: Content) -> ShownValue {
        switch content {
        case .text(let text): return bytes(Array(text.utf8))
        // As text, the server would replace words in it.
        case .bytes(let bytes) where bytes.count <= longestHex || isReplaced(bytes):
            return .map([("hex", .quoted(hex(bytes)))])
        case .bytes(let bytes): return self.bytes(bytes)
        case .counter(let size): return .map([("pattern", .word("counter")), ("size", self.size(size, bare: false))])
        case .random(let seed, let size):
            return .map([
                ("pattern", .word("random")), ("size", self.size(size, bare: false)), ("seed", .word("\(seed)")),
            ])
        case .fill(let byte, let size):
            return .map([
                ("pattern", .word("fill")), ("size", self.size(size, bare: false)), ("byte", .word("\(byte)")),
            ])
        case .compressed(let inner, let coding, let damage):
            let keys: [Content.Coding: String] = [
                .gzip: "gzip-of", .deflate: "deflate-of", .rawDeflate: "raw-deflate-of", .brotli: "brotli-of",
                .zstd: "zstd-of",
            ]
            return .fields([(keys[coding] ?? "", body(inner)), ("damage", damage.map { .word($0.rawValue) })])
        }
    }

    private func isReplaced(_ bytes: [UInt8]) -> Bool {
        guard bytes.count <= longestText, let text = String(validating: bytes, as: UTF8.self) else { return false }
        return Substitution.size(of: text) != bytes.count
    }

    func bytes(_ bytes: [UInt8]) -> ShownValue {
        if let text = String(validating: bytes, as: UTF8.self), bytes.count <= longestText { return .quoted(text) }
        if bytes.count <= longestHex { return .map([("hex", .quoted(hex(bytes)))]) }
        return .quoted("<\(bytes.count) bytes: \(hex(Array(bytes.prefix(16)))) ...>")
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
