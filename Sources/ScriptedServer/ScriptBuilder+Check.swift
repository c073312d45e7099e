import HTTPBasics
import ServerScript

/// Mistakes of a script that no server can play. A file's mistakes are found when it is read; those of a test, here.
extension ScriptBuilder {
    /// Throws one error that names every mistake and its place.
    func check() throws(ScriptedServerError) {
        var complaints = complaints
        if script.hosts.isEmpty { complaints.append("hosts: at least one is needed") }
        for host in script.listenFaults.keys.sorted() where !script.hosts.contains(host) {
            complaints.append("no host '\(host)': name it with hosts(…)")
        }
        complaints += complaintsAboutTLS
        for (index, step) in script.steps.enumerated() {
            complaints += complaintsAbout(step).map { "step \(index + 1)\(ScriptBuilder.name(step)): \($0)" }
        }
        for (index, route) in script.routes.enumerated() {
            var found = complaintsAbout(route.exchange) + complaintsAbout(host: route.host)
            if let times = route.times, times < 0 { found.append("it cannot answer \(times) times") }
            complaints += found.map { "route \(index + 1)\(ScriptBuilder.name(route.exchange)): \($0)" }
        }
        if let otherwise = script.otherwise {
            let found =
                ScriptBuilder.complaintsAbout(otherwise)
                + ScriptBuilder.complaintsAbout(otherwise.faults, in: otherwise)
                + ScriptBuilder.complaintsAboutWords(of: otherwise)
            complaints += found.map { "otherwise: \($0)" }
        }
        guard complaints.isEmpty else {
            throw ScriptedServerError("this script cannot be played:\n  " + complaints.joined(separator: "\n  "))
        }
    }

    private static func name(_ step: Step) -> String {
        if case .exchange(let exchange) = step.action { return name(exchange) }
        return ""
    }

    static func name(_ exchange: Exchange) -> String {
        " (\(exchange.request.method ?? "any") \(exchange.request.target.map(Secrets.shown) ?? "any"))"
    }

    private func complaintsAbout(host: String?) -> [String] {
        guard let host, !script.hosts.contains(host) else { return [] }
        return ["no host '\(host)': name it with hosts(…)"]
    }

    private func complaintsAbout(_ step: Step) -> [String] {
        var complaints = complaintsAbout(host: step.host)
        if step.times < 0 { complaints.append("it cannot happen \(step.times) times") }
        switch step.action {
        case .exchange(let exchange): complaints += complaintsAbout(exchange)
        case .accept(let fault): complaints += ScriptBuilder.complaintsAbout(fault, in: nil)
        case .read, .write, .close: break
        }
        return complaints
    }

    private func complaintsAbout(_ exchange: Exchange) -> [String] {
        var complaints: [String] = []
        let request = exchange.request
        if let objection = request.target.flatMap(PathPattern.objection) { complaints.append(objection.text) }
        if let method = request.method, method.isEmpty || !method.utf8.allSatisfy(ASCII.isTokenCharacter) {
            complaints.append("'\(method)' is not a method: letters, digits and !#$%&'*+-.^_`|~ only")
        }
        if let target = request.target, target.isEmpty || target.utf8.contains(where: { $0 <= 32 || $0 == 127 }) {
            complaints.append("'\(target)' is not a target: no spaces, and percent signs for what cannot be sent")
        }
        for name in request.fields.map(\.name) + request.absent {
            complaints += ScriptBuilder.complaintsAbout(name: name)
        }
        if let rate = exchange.readRate, rate < 1 { complaints.append("nothing is read at \(rate) bytes a second") }
        if let reply = exchange.reply {
            complaints += ScriptBuilder.complaintsAbout(reply)
        }
        complaints += ScriptBuilder.complaintsAboutState(of: exchange)
        return complaints + ScriptBuilder.complaintsAbout(exchange.allFaults, in: exchange.reply ?? Reply())
    }

    private static func complaintsAbout(_ reply: Reply) -> [String] {
        var complaints: [String] = []
        if !(200...999).contains(reply.status) {
            complaints.append("\(reply.status) is not a final status: those are 200 to 999")
        }
        for interim in reply.interim where !(100...199).contains(interim.status) || interim.status == 101 {
            complaints.append("\(interim.status) is not an informational status: those are 100 to 199, without 101")
        }
        for interim in reply.interim where interim.times < 1 {
            complaints.append("an informational answer cannot come \(interim.times) times")
        }
        if let rate = reply.sendRate, rate < 1 { complaints.append("nothing is sent at \(rate) bytes a second") }
        let fields = reply.fields.list + reply.trailers.list + reply.interim.flatMap(\.fields.list)
        for field in fields {
            complaints += complaintsAbout(name: field.name)
            if field.value.utf8.contains(where: { $0 == 0 || ASCII.isLineEnd($0) }) {
                complaints.append(
                    "the value of '\(field.name)' has line ends or NUL: send broken fields with raw moves")
            }
        }
        return complaints
    }

    private static func complaintsAbout(name: String) -> [String] {
        let isName = !name.isEmpty && name.utf8.allSatisfy(ASCII.isTokenCharacter)
        return isName ? [] : ["'\(name)' is not a field name"]
    }

    private static func complaintsAbout(_ faults: [Fault], in reply: Reply) -> [String] {
        faults.flatMap { complaintsAbout($0, in: reply) } + faults.objections.map(\.objection.text)
    }

    private static func complaintsAbout(_ fault: Fault?, in reply: Reply?) -> [String] {
        guard let fault else { return [] }
        if !(0...100).contains(fault.percent) { return ["\(fault.percent) is not a percentage from 0 to 100"] }
        if let reason = fault.landmark.kind.objection(to: fault.effect.kind) {
            return ["\(fault.effect.kind.rawValue) makes no sense at \(fault.landmark): \(reason)"]
        }
        guard let objection = reply?.objection(to: fault) else { return [] }
        return [[objection.text, objection.remedy].compactMap(\.self).joined(separator: "; ")]
    }
}
