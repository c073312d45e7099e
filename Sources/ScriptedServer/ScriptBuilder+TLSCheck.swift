import ServerScript

/// Mistakes about TLS that no server can play.
extension ScriptBuilder {
    var complaintsAboutTLS: [String] {
        script.tls.keys.sorted().flatMap { host -> [String] in
            guard let tls = script.tls[host] else { return [] }
            let missing = script.hosts.contains(host) ? [] : ["no host '\(host)': name it with hosts(…)"]
            return missing + tls.objections.map { "\(host): \($0.objection.text)" }
        } + complaintsAboutRecords
    }

    private var complaintsAboutRecords: [String] {
        script.recordObjections.map { found in
            let place = found.exchange.map { Self.name($0).trimmingPrefix(" ") } ?? "otherwise"
            return "\(place): \(found.objection.text)\(script.tls.isEmpty ? ": secure(…)" : "")"
        }
    }
}
